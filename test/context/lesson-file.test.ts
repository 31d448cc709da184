import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { lessonHash } from '../../src/context/lesson.ts';
import { parseLessonFile, renderLessonFile } from '../../src/context/lesson-file.ts';
import { contextFolder, readLessons } from '../../src/context/read-lessons.ts';
import { aLesson } from './a-lesson.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('a lesson file', () => {
  const lesson = aLesson({
    id: 'redis',
    title: 'Start redis: "first"',
    guidance: 'Run `docker compose up -d redis`.\n\nThen the tests.',
    classes: ['environment'],
    paths: ['src/queue/**'],
    expires: '2030-01-01',
  });

  it('comes back as it was written', () => {
    expect(parseLessonFile('redis', renderLessonFile(lesson))).toEqual({ type: 'lesson', lesson });
  });

  it('keeps its hash when only the status changes, and loses it with one word of the guidance', () => {
    expect(lessonHash({ ...lesson, status: 'approved' })).toBe(lessonHash(lesson));
    expect(lessonHash({ ...lesson, guidance: `${lesson.guidance} Now.` })).not.toBe(lessonHash(lesson));
    expect(lessonHash({ ...lesson, learned: { ...lesson.learned, by: 'eve' } })).not.toBe(lessonHash(lesson));
  });

  it.each([
    ['no front matter', 'just text', /does not begin/],
    ['an open end', '---\ntitle: x\n', /no end/],
    ['no YAML', '---\ntitle: [x\n---\ntext', /not YAML/],
    ['a list', '---\n- x\n---\ntext', /no `key: value` lines/],
    ['an unknown key', '---\ntitle: x\nclass: y\n---\ntext', /class/],
    ['no guidance', '---\ntitle: x\n---\n \n', /guidance/],
    ['another id', '---\nid: other\ntitle: x\n---\ntext', /should be called other\.md/],
    ['an id that climbs', '---\nid: ../x\ntitle: x\n---\ntext', /id/],
    ['too much of everything', `---\ntitle: x\n---\n${'y'.repeat(70_000)}`, /longer/],
    [
      'an alias bomb',
      `---\na: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n---\nt`,
      /YAML|title|key/,
    ],
  ])('with %s is broken, and says how', (_, text, problem) => {
    const read = parseLessonFile('name', text);
    expect(read).toMatchObject({ type: 'broken' });
    expect(read.type === 'broken' && read.problem).toMatch(problem);
  });

  it('loses characters that a reviewer cannot see', () => {
    const read = parseLessonFile(
      'x',
      '---\ntitle: "a\u202Eb\u0007"\n---\nzero\u200Bwidth \u001B[31mred\u{E0041}',
    );
    expect(read.type === 'lesson' && [read.lesson.title, read.lesson.guidance]).toEqual([
      'ab',
      'zerowidth [31mred',
    ]);
  });
});

describe('the folder of lessons', () => {
  it('is read around broken files and links, and unchanged files are not read again', async () => {
    const repository = mkdtempSync(join(tmpdir(), 'mayday-context-'));
    folders.push(repository);
    const folder = contextFolder(repository);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'good.md'), '---\ntitle: good\n---\ntext');
    writeFileSync(join(folder, 'bad.md'), 'no front matter');
    writeFileSync(join(folder, 'README.md'), 'about this folder');
    symlinkSync('/etc/hostname', join(folder, 'link.md'));
    const first = await readLessons(repository, new Map());
    expect(first.changed.map(({ lesson }) => lesson.id)).toEqual(['good']);
    expect(first.problems.map(({ file }) => file)).toEqual(['bad.md', 'link.md']);
    const known = new Map(first.changed.map(({ lesson, stamp }) => [lesson.id, stamp]));
    expect(await readLessons(repository, known)).toMatchObject({ changed: [], unchanged: ['good'] });
    expect(await readLessons(join(repository, 'nowhere'), new Map())).toEqual({
      changed: [],
      unchanged: [],
      problems: [],
    });
  });
});
