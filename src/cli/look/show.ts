/** `mayday show RUN`: tells the whole story of one run. */
import { isMerged } from '../../act/deliver/persons-checkout.ts';
import { agentFiles, attemptDir } from '../../act/run-files.ts';
import { withNotePaths } from '../../core/view/brief/note-paths.ts';
import { oneLine } from '../../core/text/quote-fenced.ts';
import { openQuestion, type RunState } from '../../core/state/run-state.ts';
import { unsavedFiles } from '../../core/gates/unsaved-work.ts';
import { runJson } from '../../core/view/run-json.ts';
import type { RunRecord } from '../../record/contract.ts';
import { activeHolds } from '../../supervise/active-holds.ts';
import { damagedJournal } from '../../supervise/load-state.ts';
import { RunTeller } from '../../supervise/run-teller.ts';
import { isKept } from '../../supervise/start-keeper.ts';
import { unseenAttempt, unseenError } from '../../supervise/watch/unseen-attempt.ts';
import type { Invocation } from '../command.ts';
import { renderHold } from '../render/hold.ts';
import { plain } from '../render/plain.ts';
import { renderForAll } from '../render/question.ts';
import { ending, tell } from '../render/story.ts';
import { withRun } from '../with-record.ts';
import { print } from '../print.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRun(invocation, async ({ home, record }, runId) => {
    const lines: string[] = [];
    const teller = new RunTeller(record, runId, (event, state) => lines.push(...tell(event, state)));
    await teller.tell();
    const { state } = teller;
    if (state === null) throw damagedJournal(runId);
    const told = [
      ...lines,
      ...work(state),
      ...causes(state),
      ...ending(state, { isShown: true, isMerged: await isMerged(state, invocation.env) }),
      ...(await outOfSight(home, record, state)),
      ...(invocation.options['brief'] === true ? briefs(home, state) : []),
      `${await asked(record, state)}${await heldBy(record, state)}`,
    ];
    return print(invocation, runJson(state), told.join('\n'));
  });
}

async function outOfSight(home: string, record: RunRecord, { runId, life }: RunState): Promise<string[]> {
  if (life.type === 'ended' || (await isKept(record, runId))) return [];
  const unseen = await unseenAttempt(home, record, runId);
  if (unseen === null) return [];
  const { message, advice } = unseenError(unseen);
  return ['', `! ${message}`, ...advice.map(([label, text]) => `          ${label.padEnd(9)}${text}`)];
}

function work(state: RunState): string[] {
  const { partialWork, delivery } = state;
  const left = delivery.split?.left ?? [];
  const part = (label: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`          ${label.padEnd(9)}${items.map(plain).join(', ')}`];
  const taken = (items: readonly string[]) => items.filter((path) => !left.includes(path));
  const lines = [
    ...part('created', taken(partialWork.created)),
    ...part('changed', taken(partialWork.changed)),
    ...part('deleted', taken(partialWork.deleted)),
    ...part('left out', left),
    ...part('done', partialWork.completed),
    ...part('missing', partialWork.missing),
    ...part(
      'unsaved',
      unsavedFiles(state).map(({ path, why }) => `${path} (${why})`),
    ),
  ];
  return lines.length === 0 ? [] : ['', 'work', ...lines];
}

/** Of causes that are still open, those that come first; `--json` has all of them. */
const OPEN_CAUSES = 2;

/** The root-cause log: what was confirmed, else what may be, and the test that confirmed or refuted it or still would. */
function causes({ incidents }: RunState): string[] {
  const lines = incidents.flatMap(({ id, rootCauses: { hypotheses } }) =>
    (hypotheses.some(({ state }) => state === 'confirmed')
      ? hypotheses.filter(({ state }) => state !== 'open')
      : hypotheses.slice(0, OPEN_CAUSES)
    ).map(({ cause, test, state, evidence }) =>
      [
        `          ${id}  ${state.padEnd(10)}${plain(cause)}; `,
        state === 'open'
          ? `would confirm it: ${plain(oneLine(test))}`
          : `shown by: ${plain(evidence.at(-1) ?? '')}`,
      ].join(''),
    ),
  );
  return lines.length === 0 ? [] : ['', 'causes', ...lines];
}

/** As the agent read them: with the paths of its own notes. */
function briefs(home: string, { runId, attempts }: RunState): string[] {
  return attempts.flatMap(({ number, brief }) => [
    '',
    `brief of attempt ${number}`,
    ...plain(withNotePaths(brief, agentFiles(attemptDir(home, runId, number))))
      .split('\n')
      .map((line) => `  ${line}`),
  ]);
}

async function heldBy(record: RunRecord, state: RunState): Promise<string> {
  if (state.life.type !== 'waiting' || state.holds.length === 0) return '';
  const now = Date.now();
  const holds = (await activeHolds(record, now)).filter(({ hold }) =>
    state.holds.some(({ key }) => key === hold.key),
  );
  return holds.map((hold) => `\n${renderHold(hold, now)}`).join('');
}

async function asked(record: RunRecord, state: RunState): Promise<string> {
  const question = openQuestion(state)?.question;
  return question === undefined ? '' : `\n${await renderForAll(record, state, question)}`;
}
