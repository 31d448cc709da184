/** `lessonRows`: the lessons of a repository with their standing and what became of them, as every door tells them. */
import { type Efficacy, efficacyOf } from '../context/efficacy.ts';
import type { Lesson } from '../context/lesson.ts';
import { counted } from '../core/text/counted.ts';
import type { RunRecord } from '../record/contract.ts';
import type { IndexedLesson } from '../supervise/lessons/lesson-index.ts';
import { latestRuns } from '../supervise/lessons/latest-runs.ts';

export type LessonRow = Awaited<ReturnType<typeof lessonRows>>[number];

export async function lessonRows(record: RunRecord, repository: string, lessons: readonly IndexedLesson[]) {
  const runs = await latestRuns(record, repository);
  return lessons.map(({ lesson, hash, origin, standing }) => {
    const efficacy = efficacyOf(lesson, runs);
    return {
      id: lesson.id,
      title: lesson.title,
      status: standing.status,
      because: standing.because,
      hash,
      classes: lesson.classes,
      fingerprints: lesson.fingerprints,
      paths: lesson.paths,
      agents: lesson.agents,
      words: lesson.words,
      commands: lesson.commands ?? [],
      expires: lesson.expires,
      learned: lesson.learned,
      in_checkout: origin === 'file',
      efficacy,
      applies: appliesWhen(lesson),
      /** The guidance says itself when it applies. */
      applies_told: /^When to apply: /m.test(lesson.guidance),
      origin: originOf(lesson),
      became: becameOf(efficacy),
    };
  });
}

function appliesWhen({ classes, fingerprints, paths, agents, words, commands = [] }: Lesson): string {
  const situations = [
    ...(classes.length === 0 ? [] : [`meets ${anyOf(classes.map((name) => name.replaceAll('_', ' ')))}`]),
    ...(fingerprints.length === 0 ? [] : ['meets exactly its cause again']),
    ...(commands.length === 0 ? [] : [`runs ${anyOf(commands.map((one) => `\`${one}\``))}`]),
    ...(paths.length === 0 ? [] : [`touches ${anyOf(paths.map((one) => `\`${one}\``))}`]),
    ...(words.length === 0 ? [] : [`has ${anyOf(words.map((one) => `“${one}”`))} in its task`]),
  ];
  const whose = agents.length === 0 ? 'a run' : `a run of ${anyOf(agents)}`;
  return situations.length === 0
    ? `Applies to ${whose === 'a run' ? 'every run' : whose}.`
    : `Applies when ${whose} ${anyOf(situations)}.`;
}

function originOf({ learned: { run, by } }: Lesson): string {
  return run === null ? `written by ${by}` : `learned in run ${run}`;
}

function anyOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function becameOf({ shown, helped, recurred, verdict }: Efficacy): string {
  if (shown === 0) return 'No run was told it yet.';
  const again = recurred === 0 ? 'the trouble did not come again' : `the trouble came again in ${recurred}`;
  return `Told to ${counted(shown, 'run')}: helped ${helped}, ${again}; ${verdict}.`;
}
