/**
 * The state of the page: runs and questions as signals, kept up to date by the live stream; `begin` starts it. A page that lost its server
 * tries again by itself, for as long as it is open.
 */
import { computed, signal } from '@preact/signals';
import { actSentence } from '../src/core/view/agent-act.ts';
import { inListOrder } from '../src/core/view/list-order.ts';
import type { DeskRole } from '../src/http/access.ts';
import type { InboxDocument, InboxQuestion } from '../src/http/inbox-document.ts';
import type { LateAnswer } from '../src/http/late-answers.ts';
import type { LineDocument } from '../src/http/line-document.ts';
import type { RunAct } from '../src/http/live-acts.ts';
import { go } from './navigation/address.ts';
import { ask, rememberCsrf, Refused, Unheard, type ProblemShown } from './api.ts';

export type Inbox = InboxDocument & { readonly answers: readonly LateAnswer[]; readonly change: number };

export const runs = signal<ReadonlyMap<string, LineDocument>>(new Map());
/** What each working agent did last; a silent one changes no run. */
const acts = signal<ReadonlyMap<string, RunAct>>(new Map());
export const inbox = signal<Inbox>({ questions: [], answered: [], answers: [], change: 0 });
export const loaded = signal(false);
/** `live`: every change is shown within a second. `lost`: the server does not answer. `ended`: it knows no session of this browser. */
export const link = signal<'live' | 'connecting' | 'lost' | 'ended'>('connecting');
/** Since when the page shows what was; null: it is live. */
export const lostAt = signal<number | null>(null);
/** `unsent`: given on this page, and nobody knows yet whether the server has it. */
export type PageAnswer = Omit<LateAnswer, 'state'> & { readonly state: LateAnswer['state'] | 'unsent' };
/** Answers that the server has not confirmed, or refused when they reached it at last. */
export const ownAnswers = signal<readonly (PageAnswer & { readonly note: string })[]>([]);
export const problem = signal<ProblemShown | null>(null);
export const person = signal<{ readonly by: string; readonly role: DeskRole }>({ by: '', role: 'viewer' });
export const mayAct = computed(() => person.value.role !== 'viewer');
/** What reaches beyond one run is for the person who opened the desk. */
export const isOwner = computed(() => person.value.role === 'owner');
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

/** Those of the server and those of this page. */
export const answers = computed<readonly PageAnswer[]>(() => [
  ...inbox.value.answers.filter(({ question }) => !ownAnswers.value.some((own) => own.question === question)),
  ...ownAnswers.value,
]);

/** The answer that the run may not have yet. */
export function answerTo(question: string): PageAnswer | undefined {
  return answers.value.find((one) => one.question === question && one.state !== 'refused');
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
  readonly role: DeskRole;
  readonly csrf: string;
}

/** What is done each time when the page is live again. */
let whenLive = async () => {};

export async function begin(onLive: () => Promise<void>): Promise<void> {
  whenLive = onLive;
  setInterval(() => (now.value = Date.now()), 1_000);
  // A browser opens six connections to one server: a tab that nobody sees gives its stream up and catches up later.
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : void connect()));
  addEventListener('online', () => void connect());
  await connect();
}

async function load(): Promise<void> {
  const [list, questions] = await Promise.all([
    ask<{ readonly runs: LineDocument[]; readonly acts: RunAct[]; readonly change: number }>(
      '/api/runs?limit=200',
    ),
    ask<Inbox>('/api/inbox'),
  ]);
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
}

/** A person who looks at the page sees it come back within a moment; a server that is away for a night is not asked too often. */
const PAUSES_MS = [200, 500, 1_000, 2_000, 5_000];
let failures = 0;
let trying = false;
let nextTry: ReturnType<typeof setTimeout> | undefined;

/** Asks who this browser is; then the lists, if they were never read; then the stream. */
async function connect(): Promise<void> {
  if (trying || stream !== null) return;
  clearTimeout(nextTry);
  nextTry = undefined;
  trying = true;
  try {
    const session = await ask<SessionDocument>('/api/session');
    rememberCsrf(session.csrf);
    person.value = { by: session.by, role: session.role };
    if (!loaded.value) await load();
    if (problem.value?.code === 'NOT_LOGGED_IN') problem.value = null;
    open();
  } catch (error) {
    if (error instanceof Refused && error.problem.code === 'NOT_LOGGED_IN') {
      link.value = 'ended';
      if (!loaded.value) localStorage.setItem(WANTED, `${location.pathname}${location.search}`);
      show(error);
    } else {
      link.value = 'lost';
      if (error instanceof Refused) show(error);
    }
    tryAgain();
  } finally {
    trying = false;
  }
}

function tryAgain(): void {
  if (nextTry !== undefined) return;
  nextTry = setTimeout(() => void connect(), PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)]);
  failures += 1;
}

/** The server is gone, or a read of it failed. */
export function lost(): void {
  stream?.close();
  stream = null;
  lostAt.value ??= Date.now();
  if (link.value === 'live') link.value = 'connecting';
  tryAgain();
}

export function show(error: unknown): void {
  // What the page could not read it reads again; what a person asked for is never done twice by itself.
  if (error instanceof Unheard) lost();
  if (error instanceof Unheard && !error.isChange) return;
  problem.value =
    error instanceof Refused
      ? error.problem
      : {
          title: 'the desk did not answer, so what you asked for may not have been done',
          code: 'NOT_SENT',
          do: ['Look here when the page is live again, then ask once more if it is needed.'],
        };
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
  stream = new EventSource(`/api/changes?after=${cursor}`);
  stream.addEventListener('open', live);
  stream.addEventListener('error', lost);
  stream.addEventListener('run', ({ data, lastEventId }: MessageEvent<string>) => {
    cursor = Math.max(cursor, Number(lastEventId));
    take(JSON.parse(data) as LineDocument);
  });
  stream.addEventListener('act', ({ data }: MessageEvent<string>) => {
    const act = JSON.parse(data) as RunAct;
    acts.value = new Map(acts.value).set(act.run_id, act);
  });
}

function live(): void {
  if (link.value === 'live') return;
  link.value = 'live';
  failures = 0;
  if (lostAt.value !== null) changed.value += 1;
  lostAt.value = null;
  whenLive().catch(show);
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
