import { Lesson } from '../../src/context/lesson.ts';

export function aLesson(change: Partial<Lesson> & { readonly id: string }): Lesson {
  return Lesson.parse({ title: `title of ${change.id}`, guidance: `guidance of ${change.id}`, ...change });
}
