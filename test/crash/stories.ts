/** Runs to be killed in: what the agent does, what people say, and what must be true at the end whatever died on the way. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Box } from '../e2e/box.ts';
import { evidence, eventsOf, lessonNames, runName, view } from './disk.ts';

type Events = ReturnType<typeof eventsOf>;

/** One command that a person gives. */
export interface Act {
  readonly name: string;
  readonly args: (box: Box) => readonly string[];
  /** Its word is on disk: who gives the command again would say it twice. */
  readonly isSaid: (box: Box) => boolean;
}

export interface Story {
  readonly name: string;
  /** Of the agent; LOG is the file in which it notes its life. */
  readonly script: string;
  readonly policy: Readonly<Record<string, number>>;
  readonly acts: readonly Act[];
  readonly files: readonly string[];
  readonly delivered: (box: Box, ref: string) => readonly string[];
  /** What is wrong with the end, beyond the promises that hold for every run. */
  readonly wrong: (box: Box, events: Events) => readonly string[];
}

/** Leaves a child in a session of its own behind, which only Mayday ends. */
const BEGIN = `echo "start $MAYDAY_ATTEMPT" >> LOG; trap 'echo "end $MAYDAY_ATTEMPT" >> LOG' EXIT
setsid sleep 600 >/dev/null 2>&1 &
echo one > one.txt; sleep 0.2`;
const QUICK = { backoff_ms: 20, backoff_max_ms: 40, restarts: 9 };
const FILES = ['one.txt', 'two.txt'];

const isThere = (box: Box) => runName(box) !== undefined;
const has = (box: Box, type: string) => eventsOf(box).some((event) => event.type === type);
const count = (events: Events, type: string) => events.filter((event) => event.type === type).length;
const order = (events: Events, type: string) => events.findIndex((event) => event.type === type);
const times = (events: Events, type: string, expected: number) =>
  count(events, type) === expected ? [] : [`${count(events, type)} times ${type}, not ${expected}`];

function run(...options: string[]): Act {
  return {
    name: 'run',
    args: (box) => [
      'run',
      '--json',
      '--detach',
      ...options.map((option) => option.replace('BOX', box.folder)),
      '--check',
      'test -f one.txt && test -f two.txt',
      '--',
      'sh',
      join(box.folder, 'agent.sh'),
    ],
    isSaid: isThere,
  };
}

const HAPPY: Story = {
  name: 'a happy run',
  script: `${BEGIN}; echo two > two.txt`,
  policy: QUICK,
  acts: [run()],
  files: FILES,
  delivered: (box, ref) => lines(box, 'ls-tree', '-r', '--name-only', ref),
  wrong: (_, events) => times(events, 'attempt_started', 1),
};

function into(name: string, sink: string, delivered: Story['delivered']): Story {
  return { ...HAPPY, name: `a run delivered ${name}`, acts: [run('--sink', sink)], delivered };
}

export const STORIES: readonly Story[] = [
  HAPPY,
  {
    ...HAPPY,
    name: 'a run with one rescue',
    script: `${BEGIN}; [ "$MAYDAY_ATTEMPT" = 1 ] && exit 3; echo two > two.txt`,
    wrong: (_, events) => times(events, 'attempt_started', 2),
  },
  {
    ...HAPPY,
    name: 'a run that climbs the ladder',
    // Crashes; claims twice to be done; does it in the fresh session.
    script: `${BEGIN}; echo x > "step-$MAYDAY_ATTEMPT.txt"
case $MAYDAY_ATTEMPT in 1) exit 3;; 2|3) exit 0;; *) echo two > two.txt;; esac`,
    files: [...FILES, 'step-1.txt', 'step-2.txt', 'step-3.txt', 'step-4.txt'],
    wrong: (_, events) => [
      ...times(events, 'attempt_started', 4),
      ...(phases(events) === '1 2 2' ? [] : [`the ladder was climbed as ${phases(events)}`]),
    ],
  },
  {
    ...HAPPY,
    name: 'a run that asks and is answered',
    script: `${BEGIN}
if [ "$MAYDAY_ATTEMPT" = 1 ]; then
  echo '{"reason": "two ways", "question": "Which way?", "options": ["the left", "the right"]}' > "$MAYDAY_BLOCKER"; exit 0
fi
grep -q 'the right' "$MAYDAY_BRIEF" && echo two > two.txt`,
    acts: [
      run(),
      {
        name: 'answer',
        args: (box) => ['answer', `${runName(box)}-q1`, 'option_2', '--json'],
        isSaid: (box) => has(box, 'question_answered'),
      },
    ],
    wrong: (box, events) => [
      ...times(events, 'attempt_started', 2),
      ...times(events, 'question_asked', 1),
      ...times(events, 'question_answered', 1),
      ...(evidence(box).filter(({ kind }) => kind === 'answer').length === 1
        ? []
        : ['P4: the answer is not once in the ledger']),
    ],
  },
  {
    ...HAPPY,
    name: 'a run with a rescue mission',
    script: `${BEGIN}; grep -q 'the second file' "$MAYDAY_BRIEF" && echo two > two.txt; exit 0`,
    policy: { ...QUICK, restarts: 0 },
    acts: [
      run(),
      {
        name: 'rescue',
        args: (box) => [
          'rescue',
          runName(box) ?? '',
          '--json',
          '--category',
          'missing_context',
          '--root-cause',
          'nobody named it',
          '--inject',
          'write the second file, two.txt',
        ],
        isSaid: (box) => has(box, 'rescue_requested'),
      },
      {
        name: 'enrich',
        args: (box) => ['context', 'approve', lessonNames(box)[0] ?? 'none', '--json'],
        isSaid: (box) => has(box, 'mission_enriched'),
      },
    ],
    wrong: (box, events) => [
      ...times(events, 'attempt_started', 2),
      ...times(events, 'mission_started', 1),
      ...times(events, 'mission_closed', 1),
      ...times(events, 'mission_enriched', 1),
      ...times(events, 'lesson_proposed', 1),
      ...(order(events, 'lesson_proposed') < order(events, 'released')
        ? []
        : ['what was learned is told after the release: a keeper that dies between them loses it']),
      ...missionWrong(box),
    ],
  },
  into('as a patch', 'patch:BOX/out.patch', (box) =>
    readFileSync(join(box.folder, 'out.patch'), 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith('+++ b/') ? [line.slice(6)] : [])),
  ),
  into('into a directory', 'dir:BOX/out', (box) => readdirSync(join(box.folder, 'out'))),
  into('by a merge', 'merge:main', (box) =>
    lines(box, 'log', '--format=%s', 'main').length === 2
      ? lines(box, 'ls-tree', '-r', '--name-only', 'main')
      : [],
  ),
];

function lines(box: Box, ...args: string[]): string[] {
  return execFileSync('git', args, { cwd: box.repository, encoding: 'utf8' }).split('\n').filter(Boolean);
}

function phases(events: Events): string {
  return events
    .filter(({ type }) => type === 'recovery_decided')
    .map((event) => (event['recovery'] as { phase: number }).phase)
    .join(' ');
}

/** Five steps with their times, in order, and how it went. */
function missionWrong(box: Box): string[] {
  const [mission] = (view(box)['missions'] ?? []) as {
    outcome: string | null;
    steps: Readonly<Record<string, string | null>>;
  }[];
  if (mission === undefined) return ['no mission on record'];
  const at = ['detect', 'diagnose', 'inject', 'resume', 'enrich'].map((step) => mission.steps[step] ?? '');
  return [
    ...(mission.outcome === 'resolved' ? [] : [`the mission ended as ${mission.outcome}`]),
    ...(at.includes('') ? [`a step has no time: ${JSON.stringify(mission.steps)}`] : []),
    ...(at.every((time, index) => time >= (at[index - 1] ?? ''))
      ? []
      : [`steps out of order: ${JSON.stringify(mission.steps)}`]),
  ];
}
