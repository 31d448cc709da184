/**
 * `sendAnswer`: sends an answer and keeps it in this tab until the server has it; by its id, one that is sent again counts once.
 * `sendUnsent`: sends what is kept, when the page is live again. `takeBack`: takes an answer back, wherever it is.
 */
import type { LateAnswer } from '../../src/http/late-answers.ts';
import { type ProblemShown, Refused, say } from '../api.ts';
import { answers, inbox, lost, ownAnswers, person, readInbox, readInboxSoon, show } from '../store.ts';

type OwnAnswer = (typeof ownAnswers.value)[number];

const KEPT = 'mayday-unsent';
/** A server that is there takes an answer in milliseconds. */
const ANSWER_MS = 10_000;

ownAnswers.value = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]') as readonly OwnAnswer[];
/** Taken back before it was known whether the server has them. */
const withdrawn = new Set<string>();

function keep(all: readonly OwnAnswer[]): void {
  ownAnswers.value = all;
  sessionStorage.setItem(KEPT, JSON.stringify(all));
}

const others = (question: string) => ownAnswers.value.filter((one) => one.question !== question);

export async function sendAnswer(
  said: Pick<OwnAnswer, 'question' | 'option' | 'label' | 'note'>,
): Promise<void> {
  const at = Date.now();
  const own: OwnAnswer = {
    ...said,
    id: crypto.randomUUID(),
    by: person.value.by,
    state: 'unsent',
    at,
    until: at,
    problem: null,
  };
  keep([...others(own.question), own]);
  await send(own);
}

async function send(own: OwnAnswer): Promise<void> {
  const { question, option, note, id } = own;
  try {
    const kept = await say<LateAnswer>(
      'POST',
      `/api/questions/${question}/answer`,
      { option, note, id },
      ANSWER_MS,
    );
    const rest = inbox.value.answers.filter((one) => one.question !== question);
    inbox.value = { ...inbox.value, answers: [...rest, { ...kept, label: own.label }] };
    keep(others(question));
  } catch (error) {
    // Without a session it waits for the next login of the same person; without a server, for the server.
    if (error instanceof Refused && error.problem.code !== 'NOT_LOGGED_IN') refuse(own, error.problem);
    else lost();
  }
}

function refuse(own: OwnAnswer, problem: ProblemShown): void {
  keep([...others(own.question), { ...own, state: 'refused', problem: problem as OwnAnswer['problem'] }]);
}

export async function sendUnsent(): Promise<void> {
  await readInbox();
  for (const id of withdrawn) {
    const kept = inbox.value.answers.find((one) => one.id === id && one.state === 'kept');
    if (kept !== undefined) await say('DELETE', `/api/questions/${kept.question}/answer`);
    withdrawn.delete(id);
  }
  const { by } = person.value;
  for (const own of ownAnswers.value.filter(({ state }) => state === 'unsent')) {
    if (own.by === by) await send(own);
    else
      refuse(own, {
        title: `it was given by ${own.by}, and this browser is now logged in as ${by}`,
        code: 'NOT_SENT',
        do: ['Answer again if you mean it too.'],
      });
  }
  readInboxSoon();
}

export async function takeBack(): Promise<void> {
  const last = answers.value.find(({ state }) => state === 'kept' || state === 'unsent');
  if (last === undefined) return;
  if (last.state === 'unsent') {
    withdrawn.add(last.id);
    keep(others(last.question));
  } else await say('DELETE', `/api/questions/${last.question}/answer`).catch(show);
  readInboxSoon();
}
