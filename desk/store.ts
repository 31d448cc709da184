/** The state of the page: runs and questions as signals, kept up to date by the live stream; `begin` starts it. */
import { computed, signal } from '@preact/signals';
import { actSentence } from '../src/core/view/agent-act.ts';
import { inListOrder } from '../src/core/view/list-order.ts';
import type { InboxDocument, InboxQuestion } from '../src/http/inbox-document.ts';
import type { LateAnswer } from '../src/http/late-answers.ts';
import type { LineDocument } from '../src/http/line-document.ts';
import type { RunAct } from '../src/http/live-acts.ts';
import { go } from './navigation/address.ts';
import { ask, rememberCsrf, Refused, type ProblemShown } from './api.ts';

export type Inbox = InboxDocument & { readonly answers: readonly LateAnswer[]; readonly change: number };

export const runs = signal<ReadonlyMap<string, LineDocument>>(new Map());
/** What each working agent did last; a silent one changes no run. */
const acts = signal<ReadonlyMap<string, RunAct>>(new Map());
export const inbox = signal<Inbox>({ questions: [], answered: [], answers: [], change: 0 });
export const loaded = signal(false);
/** `live`: every change is shown within a second. */
export const link = signal<'live' | 'connecting' | 'closed'>('connecting');
export const problem = signal<ProblemShown | null>(null);
export const person = signal<{ readonly by: string; readonly role: 'viewer' | 'operator' }>({
  by: '',
  role: 'viewer',
});
/** Ticks every second: durations and limits move without the server. */
export const now = signal(Date.now());
/** The runs in the order of the list. It is made anew when the pointer is elsewhere: no row moves away under it. */
export const order = signal<readonly string[]>([]);
/** What the runs that began today have cost. */
export const todayUsd = signal(0);
/** Grows with every change of any run. */
export const changed = signal(0);
export const pointerInList = signal(false);

export function sorted(lines: Iterable<LineDocument>): readonly string[] {
  return inListOrder(lines).map(({ run_id }) => run_id);
}

/** The answer of this person that the run may not have yet. */
export function answerTo(question: string): LateAnswer | undefined {
  return inbox.value.answers.find((one) => one.question === question && one.state !== 'refused');
}

/** The state as this person sees it: what they answered needs them no more, also before the run has heard it. */
export function wordNow({ word, question }: Pick<LineDocument, 'word' | 'question'>): string {
  const isAnswered = word === 'needs_you' && question !== null && answerTo(question.id) !== undefined;
  return isAnswered ? 'answered' : word;
}

/** The open question whose answer lets this run go on, also where another run asked it. */
export function questionAbout(runId: string, waitsFor: string | null): InboxQuestion | undefined {
  return inbox.value.questions.find(
    ({ run, runs: asked }) => run.run_id === runId || run.run_id === waitsFor || asked.includes(runId),
  );
}

export const waitingForMe = computed(
  () => inbox.value.questions.filter(({ id }) => answerTo(id) === undefined).length,
);

/** Lessons that a person has to approve or reject; they keep no run from its work. */
export const toDecide = signal(0);

export async function countToDecide(): Promise<void> {
  const { lessons } = await ask<{ readonly lessons: readonly { readonly status: string }[] }>('/api/lessons');
  toDecide.value = lessons.filter(({ status }) => status === 'proposed').length;
}

/** A link of a message that was opened before the login: where to go after it. */
const WANTED = 'mayday-wanted';

let cursor = 0;
let stream: EventSource | null = null;
let inboxTimer: ReturnType<typeof setTimeout> | undefined;

interface SessionDocument {
  readonly by: string;
  readonly role: 'viewer' | 'operator';
  readonly csrf: string;
}

export async function begin(): Promise<void> {
  setInterval(() => (now.value = Date.now()), 1_000);
  // The link of the login leads here once; a reload must not use it again.
  if (location.pathname === '/login') go('/', true);
  // A browser opens six connections to one server: a tab that nobody sees gives its stream up and catches up later.
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  try {
    const [session, list, questions] = await Promise.all([
      ask<SessionDocument>('/api/session'),
      ask<{ readonly runs: LineDocument[]; readonly acts: RunAct[]; readonly change: number }>(
        '/api/runs?limit=200',
      ),
      ask<Inbox>('/api/inbox'),
    ]);
    rememberCsrf(session.csrf);
    person.value = { by: session.by, role: session.role };
    const wanted = localStorage.getItem(WANTED);
    localStorage.removeItem(WANTED);
    if (wanted !== null && location.pathname === '/') go(wanted, true);
    runs.value = new Map(list.runs.map((line) => [line.run_id, line]));
    acts.value = new Map(list.acts.map((act) => [act.run_id, act]));
    order.value = sorted(list.runs);
    inbox.value = questions;
    // What changed while the lists were read comes again by the stream.
    cursor = Math.min(list.change, questions.change);
    loaded.value = true;
    open();
  } catch (error) {
    if (error instanceof Refused && error.problem.code === 'NOT_LOGGED_IN')
      localStorage.setItem(WANTED, `${location.pathname}${location.search}`);
    show(error);
  }
}

export function show(error: unknown): void {
  problem.value =
    error instanceof Refused
      ? error.problem
      : { title: 'the desk does not answer', code: 'NO_ANSWER', do: ['is mayday serve still running?'] };
}

let inboxReads = 0;

/** Of two readings the later one counts: a slow earlier one would bring back an answer that was taken back since. */
export async function readInbox(): Promise<void> {
  inboxReads += 1;
  const mine = inboxReads;
  const read = await ask<Inbox>('/api/inbox');
  if (mine === inboxReads) inbox.value = read;
}

function readInboxSoon(afterMs = 30): void {
  clearTimeout(inboxTimer);
  inboxTimer = setTimeout(() => {
    readInbox()
      .then(() => {
        // Until the run has the answer, the bar says so.
        if (inbox.value.answers.some(({ state }) => state === 'kept' || state === 'said')) readInboxSoon(500);
      })
      .catch(show);
  }, afterMs);
}

export { readInboxSoon };

function open(): void {
  if (document.hidden || stream !== null || !loaded.value) return;
  link.value = 'connecting';
  stream = new EventSource(`/api/changes?after=${cursor}`);
  stream.addEventListener('open', () => {
    link.value = 'live';
    problem.value = null;
  });
  stream.addEventListener(
    'error',
    () => (link.value = stream?.readyState === EventSource.CLOSED ? 'closed' : 'connecting'),
  );
  stream.addEventListener('run', ({ data, lastEventId }: MessageEvent<string>) => {
    cursor = Math.max(cursor, Number(lastEventId));
    take(JSON.parse(data) as LineDocument);
  });
  stream.addEventListener('act', ({ data }: MessageEvent<string>) => {
    const act = JSON.parse(data) as RunAct;
    acts.value = new Map(acts.value).set(act.run_id, act);
  });
}

/** Only while its agent works. */
export function actNow(line: LineDocument | undefined): RunAct | null {
  const act = acts.value.get(line?.run_id ?? '');
  const attempt = line?.attempts.at(-1);
  const works = attempt !== undefined && attempt.ended_at === null && attempt.number === act?.attempt;
  return works && (line?.word === 'working' || line?.word === 'rescuing') ? act : null;
}

/** The last act of a working agent and what is notable about it, trouble first; otherwise the sentence of the record. */
export function whyNow(line: LineDocument, at: number): string {
  const act = actNow(line);
  if (act === null) return line.why;
  const does = actSentence(act, at);
  const parts = line.word === 'rescuing' ? [line.note, does] : [does, line.note];
  return parts.filter(Boolean).join('; ');
}

function close(): void {
  stream?.close();
  stream = null;
}

function take(line: LineDocument): void {
  const before = runs.value.get(line.run_id);
  const next = new Map(runs.value).set(line.run_id, line);
  if ((line.state as string) === 'removed') next.delete(line.run_id);
  runs.value = next;
  changed.value += 1;
  now.value = Date.now();
  if (before === undefined || !pointerInList.value) order.value = sorted(next.values());
  if (before?.question?.id !== line.question?.id) readInboxSoon();
}
