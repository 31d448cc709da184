/** `mayday context ...`: the lessons of this repository, what they did, and a person's word on them. */
import { inspectRepository } from '../act/workspace/inspect-repository.ts';
import { renderLessonFile } from '../context/lesson-file.ts';
import { usageError } from '../platform/mayday-error.ts';
import type { RunRecord } from '../record/contract.ts';
import { assertPerson } from '../supervise/assert-person.ts';
import {
  addLesson,
  approveLesson,
  briefsWith,
  findLesson,
  rejectLesson,
} from '../supervise/lessons/lesson-desk.ts';
import { type LessonIndex, openLessonIndex } from '../supervise/lessons/lesson-index.ts';
import { type Duty, dutyOf } from '../supervise/lessons/mission-duty.ts';
import type { Invocation } from './command.ts';
import { described, table } from './context-rows.ts';
import { contextWhy } from './context-why.ts';
import { userName } from './follow.ts';
import { plain } from './render/plain.ts';
import { speak } from './speak.ts';
import { withRecord } from './with-record.ts';

interface Desk {
  readonly invocation: Invocation;
  readonly home: string;
  readonly record: RunRecord;
  readonly repository: string;
  readonly index: LessonIndex;
}

const VERBS: Readonly<Record<string, (desk: Desk) => Promise<number>>> = {
  ls: list,
  search,
  add,
  approve,
  reject,
  show,
};

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async ({ home, record }) => {
    const verb = invocation.args[0] ?? 'ls';
    if (verb === 'why') return await contextWhy(invocation, record);
    const act = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (act === undefined)
      throw usageError('WRONG_ARGUMENTS', `mayday context has no ${JSON.stringify(verb.slice(0, 40))}`, [
        ['do', `mayday context ${[...Object.keys(VERBS), 'why'].join(', mayday context ')}`],
      ]);
    const { root } = await inspectRepository(invocation.cwd, { home, env: invocation.env });
    const index = await openLessonIndex(record, root, Date.now());
    for (const { file, problem } of index.problems)
      invocation.stderr.write(`mayday context: ${plain(file)} was left out: ${plain(problem)}\n`);
    return await act({ invocation, home, record, repository: root, index });
  });
}

async function list({ invocation, record, repository, index }: Desk): Promise<number> {
  const rows = await described(record, repository, index.lessons);
  const broken = index.problems.map(({ file, problem }) => ({
    id: file.replace(/\.md$/, ''),
    title: null,
    status: 'broken',
    because: problem,
  }));
  if (invocation.json) invocation.stdout.write(`${JSON.stringify([...rows, ...broken])}\n`);
  else
    invocation.stdout.write(
      rows.length === 0
        ? 'no lessons yet: mayday context add --title T --guidance TEXT, or let a rescue propose one\n'
        : table(rows),
    );
  return 0;
}

async function search(desk: Desk): Promise<number> {
  const { invocation, record, repository, index } = desk;
  const text = invocation.args.slice(1).join(' ');
  if (text.trim() === '')
    throw usageError('WRONG_ARGUMENTS', 'mayday context search takes words to look for');
  const found = await record.searchLessons({ text, repository });
  const lessons = found.flatMap(({ id }) => index.lessons.filter(({ lesson }) => lesson.id === id));
  const rows = await described(record, repository, lessons);
  if (invocation.json) invocation.stdout.write(`${JSON.stringify(rows)}\n`);
  else invocation.stdout.write(rows.length === 0 ? 'no lesson speaks of that\n' : table(rows));
  return 0;
}

async function add({ invocation, repository }: Desk): Promise<number> {
  const { options, env } = invocation;
  const lesson = await addLesson(
    repository,
    {
      title: text(options['title']),
      guidance: text(options['guidance']),
      classes: many(options['class']),
      fingerprints: many(options['fingerprint']),
      paths: many(options['paths']),
      agents: many(options['agent']),
      words: many(options['words']),
      expires: text(options['expires']) || null,
    },
    { by: userName(env), note: '', at: Date.now() },
  );
  if (invocation.json) invocation.stdout.write(`${JSON.stringify({ ...lesson, status: 'proposed' })}\n`);
  else
    invocation.stdout.write(
      `proposed   .mayday/context/${lesson.id}.md\n           mayday context approve ${lesson.id}\n`,
    );
  return 0;
}

async function approve({ invocation, home, record, index }: Desk): Promise<number> {
  await assertPerson({ home, record }, '`mayday context approve`');
  const item = findLesson(index.lessons, invocation.args[1] ?? '');
  const duty = await dutyOf(record, item.lesson);
  await approveLesson(record, item, wordOf(invocation));
  if (duty !== null) await enrich({ home, record }, duty, invocation, [`lesson ${item.lesson.id}`], null);
  const { id, title } = item.lesson;
  if (invocation.json)
    invocation.stdout.write(`${JSON.stringify({ id, title, status: 'approved', hash: item.hash })}\n`);
  else
    invocation.stdout.write(`approved   ${id}: ${plain(title)}\n           ${plain(item.lesson.guidance)}\n`);
  return 0;
}

async function reject({ invocation, home, record, index }: Desk): Promise<number> {
  await assertPerson({ home, record }, '`mayday context reject`');
  const item = findLesson(index.lessons, invocation.args[1] ?? '');
  const duty = await dutyOf(record, item.lesson);
  const word = wordOf(invocation);
  const { decision, briefs } = await rejectLesson(record, item, word);
  if (duty !== null && word.note.trim() !== '')
    await enrich({ home, record }, duty, invocation, [], word.note);
  else if (duty !== null)
    invocation.stderr.write(
      `mayday context: ${duty.mission} still owes what was learned; mayday missions close ${duty.mission} --reason TEXT\n`,
    );
  const status = decision === 'revoke' ? 'revoked' : 'rejected';
  const { id, title } = item.lesson;
  if (invocation.json) invocation.stdout.write(`${JSON.stringify({ id, title, status, briefs })}\n`);
  else
    invocation.stdout.write(
      [
        `${status.padEnd(11)}${id}: ${plain(title)}`,
        briefs.length === 0 ? '           no brief ever carried it' : '           briefs that carried it:',
        ...briefs.map(
          ({ run_id, attempt, agent, state }) =>
            `             ${run_id} attempt ${attempt} (${agent}, ${state})`,
        ),
        '',
      ].join('\n'),
    );
  return 0;
}

async function show({ invocation, record, repository, index }: Desk): Promise<number> {
  const item = findLesson(index.lessons, invocation.args[1] ?? '');
  const [row] = await described(record, repository, [item]);
  const briefs = await briefsWith(record, item.lesson.id);
  if (invocation.json) {
    invocation.stdout.write(
      `${JSON.stringify({ ...row, guidance: item.lesson.guidance, learned: item.lesson.learned, briefs })}\n`,
    );
    return 0;
  }
  invocation.stdout.write(
    `${plain(renderLessonFile({ ...item.lesson, status: 'proposed' })).replace(/^status: .*\n/m, '')}\n${item.standing.status}: ${plain(item.standing.because)}\nshown in ${briefs.length} briefs${briefs.length === 0 ? '' : `: ${briefs.map(({ run_id, attempt }) => `${run_id} attempt ${attempt}`).join(', ')}`}\n`,
  );
  return 0;
}

/** A mission is complete with an approved lesson, or with the reason why there is none. */
async function enrich(
  opened: { readonly home: string; readonly record: RunRecord },
  { runId, mission }: Duty,
  { env }: Invocation,
  contextUpdates: readonly string[],
  reason: string | null,
): Promise<void> {
  await speak(
    opened,
    runId,
    { type: 'mission_enriched', mission, contextUpdates, reason, by: userName(env) },
    env,
  );
}

function wordOf({ env, options }: Invocation) {
  return { by: userName(env), note: text(options['note']), at: Date.now() };
}

function text(value: Invocation['options'][string]): string {
  return typeof value === 'string' ? value : '';
}

function many(value: Invocation['options'][string]): string[] {
  return Array.isArray(value) ? (value as string[]) : [];
}
