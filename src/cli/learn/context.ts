/** `mayday context ...`: lists, searches, adds, approves, rejects and shows the lessons of this repository. */
import { inspectRepository } from '../../act/workspace/inspect-repository.ts';
import { createRedactor } from '../../record/redaction/redact.ts';
import { readableQuotes } from '../../core/text/quote-fenced.ts';
import { renderLessonFile } from '../../context/lesson-file.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import { addLesson, briefsWith, findLesson } from '../../supervise/lessons/lesson-desk.ts';
import { type LessonIndex, openLessonIndex } from '../../supervise/lessons/lesson-index.ts';
import type { Caller } from '../../use-cases/caller.ts';
import {
  approveNamedLesson,
  type LessonWord,
  rejectNamedLesson,
} from '../../use-cases/learn/decide-lesson.ts';
import type { Invocation } from '../command.ts';
import { lessonRows, type LessonRow } from '../../report/lesson-rows.ts';
import { listOf, textOf } from '../option-values.ts';
import { plain, plainLine } from '../render/plain.ts';
import { print } from '../print.ts';
import type { Efficacy } from '../../context/efficacy.ts';
import { columns } from '../../core/text/columns.ts';
import { withRecord } from '../with-record.ts';
import { writeText } from '../write-text.ts';
import { contextWhy } from './context-why.ts';

interface Desk {
  readonly invocation: Invocation;
  readonly caller: Caller;
  readonly record: RunRecord;
  readonly repository: string;
  readonly index: LessonIndex;
}

const VERBS = { ls: list, search, add, approve, reject, show };

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (caller) => {
    const asked = invocation.args[0] ?? 'ls';
    if (asked === 'why') return await contextWhy(invocation, caller);
    if (!Object.hasOwn(VERBS, asked))
      throw usageError('WRONG_ARGUMENTS', `mayday context has no ${JSON.stringify(asked.slice(0, 40))}`, [
        ['do', `mayday context ${[...Object.keys(VERBS), 'why'].join(', mayday context ')}`],
      ]);
    const { home, record } = caller;
    const { root: repository } = await inspectRepository(invocation.cwd, { home, env: invocation.env });
    // What is wrong in the index is told before the rest.
    const index = await openLessonIndex(caller, repository, Date.now());
    for (const { file, problem } of index.problems)
      writeText(invocation.stderr, `mayday context: ${plain(file)} was left out: ${plain(problem)}\n`);
    return await VERBS[asked as keyof typeof VERBS]({ invocation, caller, record, repository, index });
  });
}

async function list({ invocation, record, repository, index }: Desk): Promise<number> {
  const rows = await lessonRows(record, repository, index.lessons);
  const broken = index.problems.map(({ file, problem }) => ({
    id: file.replace(/\.md$/, ''),
    title: null,
    status: 'broken',
    because: problem,
  }));
  const none = 'no lessons yet: mayday context add --title T --guidance TEXT, or let a rescue propose one\n';
  return print(invocation, [...rows, ...broken], rows.length === 0 ? none : table(rows));
}

async function search(desk: Desk): Promise<number> {
  const { invocation, record, repository, index } = desk;
  const text = invocation.args.slice(1).join(' ');
  if (text.trim() === '')
    throw usageError('WRONG_ARGUMENTS', 'mayday context search takes words to look for');
  const found = await record.searchLessons({ text, repository });
  const lessons = found.flatMap(({ id }) => index.lessons.filter(({ lesson }) => lesson.id === id));
  const rows = await lessonRows(record, repository, lessons);
  return print(invocation, rows, rows.length === 0 ? 'no lesson speaks of that\n' : table(rows));
}

async function add({ invocation, caller, repository }: Desk): Promise<number> {
  const given = (name: string) => textOf(invocation, name) ?? '';
  const many = (name: string) => [...listOf(invocation, name)];
  // The file goes into the repository: a secret must not stand in it.
  const draft = createRedactor({ environment: invocation.env }).redactDeep({
    title: given('title'),
    guidance: given('guidance'),
    classes: many('class'),
    fingerprints: many('fingerprint'),
    paths: many('paths'),
    agents: many('agent'),
    words: many('words'),
    commands: many('command'),
    expires: given('expires') || null,
  });
  const lesson = await addLesson(repository, draft, { by: caller.by, note: '', at: Date.now() });
  const text = `proposed   .mayday/context/${lesson.id}.md\n           mayday context approve ${lesson.id}\n`;
  return print(invocation, { ...lesson, status: 'proposed' }, text);
}

async function approve(desk: Desk): Promise<number> {
  const { item } = await approveNamedLesson(desk.caller, wordOf(desk));
  const { id, title, guidance } = item.lesson;
  const text = `approved   ${id}: ${readableQuotes(plain(title))}\n           ${plain(guidance)}\n`;
  return print(desk.invocation, { id, title, status: 'approved', hash: item.hash }, text);
}

async function reject(desk: Desk): Promise<number> {
  const { type: status, item, briefs, owing } = await rejectNamedLesson(desk.caller, wordOf(desk));
  if (owing !== null)
    writeText(
      desk.invocation.stderr,
      `mayday context: ${owing} still owes what was learned; mayday missions close ${owing} --reason TEXT\n`,
    );
  const { id, title } = item.lesson;
  const lines = [
    `${status.padEnd(11)}${id}: ${readableQuotes(plain(title))}`,
    briefs.length === 0 ? '           no brief ever carried it' : '           briefs that carried it:',
    ...briefs.map(
      ({ run_id, attempt, agent, state }) => `             ${run_id} attempt ${attempt} (${agent}, ${state})`,
    ),
    '',
  ];
  return print(desk.invocation, { id, title, status, briefs }, lines.join('\n'));
}

async function show({ invocation, record, repository, index }: Desk): Promise<number> {
  const item = findLesson(index.lessons, invocation.args[1] ?? '');
  const [row] = await lessonRows(record, repository, [item]);
  const briefs = await briefsWith(record, item.lesson.id);
  const { guidance, learned } = item.lesson;
  const shown = briefs.map(({ run_id, attempt }) => `${run_id} attempt ${attempt}`).join(', ');
  const lines = [
    plain(renderLessonFile({ ...item.lesson, status: 'proposed' })).replace(/^status: .*\n/m, ''),
    `${item.standing.status}: ${plain(item.standing.because)}`,
    `shown in ${briefs.length} briefs${briefs.length === 0 ? '' : ': '}${shown}\n`,
  ];
  return print(invocation, { ...row, guidance, learned, briefs }, lines.join('\n'));
}

function wordOf({ invocation, repository }: Desk): LessonWord {
  return { repository, lesson: invocation.args[1] ?? '', note: textOf(invocation, 'note') ?? '' };
}

function useOf({ shown, recurred, untested }: Efficacy): string {
  if (shown === 0) return '-';
  return `${shown} shown, ${untested === shown ? 'not tested' : `${recurred} again`}`;
}
function table(rows: readonly LessonRow[]): string {
  const body = rows.map(({ id, status, efficacy, title }) => [
    plainLine(id, 42),
    status,
    useOf(efficacy),
    plainLine(
      `${readableQuotes(title)}${efficacy.verdict === 'doubtful' || efficacy.verdict === 'useless' ? ` (${efficacy.verdict})` : ''}`,
      80,
    ),
  ]);
  return columns([['LESSON', 'STATUS', 'USE', 'TITLE'], ...body]);
}
