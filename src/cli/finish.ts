/** `finish`: prints the last lines and the document of a followed run, and returns the exit code. */
import { changedHereToo } from '../act/deliver/persons-checkout.ts';
import { isProven } from '../core/gates/delivery-proof.ts';
import { lastCheckpoint } from '../core/state/last-tree.ts';
import { openQuestion, type RunState } from '../core/state/run-state.ts';
import { questionJson } from '../core/view/question-json.ts';
import { runJson } from '../core/view/run-json.ts';
import type { Invocation } from './command.ts';
import type { FollowEnd } from './follow.ts';
import { printJson } from './print.ts';
import type { Tone } from './render/colour.ts';
import { plain } from './render/plain.ts';
import { forTerminal, writeText } from './write-text.ts';
import { renderQuestion } from './render/question.ts';
import { ending } from './render/story.ts';
import { localTime } from './render/time.ts';

/** As a shell has it for a program that SIGTERM ended. */
const TERMINATED = 143;

export async function finish(
  { type, state, asker }: FollowEnd,
  { json, stdout, stderr, env }: Invocation,
): Promise<number> {
  const others = asker === undefined ? undefined : openQuestion(asker);
  if (json) {
    const waits_for_question =
      asker === undefined || others === undefined
        ? null
        : { run_id: asker.runId, ...questionJson(asker, others) };
    printJson(stdout, { ...runJson(state), ...(waits_for_question && { waits_for_question }) });
  }
  const out = json ? stderr : stdout;
  const say = (lines: readonly string[], tone: Tone | null) => {
    const [first = '', ...more] = lines;
    writeText(
      out,
      `\n${[...forTerminal(out, env, [first], tone), ...forTerminal(out, env, more)].join('\n')}\n`,
    );
  };
  const { runId, life } = state;
  switch (type) {
    case 'interrupted':
    case 'stopped': {
      const saved = checkpointOf(state);
      const place = saved === null ? '' : ` at checkpoint ${saved}`;
      say(
        [`stopped    run ${runId} is safe${place}; nothing is running`, `           mayday resume ${runId}`],
        'needs',
      );
      return 130;
    }
    case 'detached':
    case 'terminated':
      say(
        [
          `detached   run ${runId} goes on without this view`,
          `           mayday watch ${runId}      mayday stop ${runId}      mayday inbox tells what needs you`,
        ],
        'strong',
      );
      return type === 'detached' ? 0 : TERMINATED;
    case 'question': {
      const asked = asker === undefined ? openQuestion(state) : others;
      if (asked === undefined) return 3;
      const asking = asker ?? state;
      const waitsToo = `           run ${runId} waits for this answer too and goes on by itself after it: mayday watch ${runId}`;
      say(
        [
          ...renderQuestion(asking.runId, asked.question, checkpointOf(asking)).trimEnd().split('\n'),
          ...(asker === undefined ? [] : [waitsToo]),
        ],
        'needs',
      );
      return 3;
    }
    case 'waited': {
      const at = life.type === 'waiting' ? (life.until ?? 0) : 0;
      const until = at > Date.now() ? ` until ${localTime(at)}` : '';
      say(
        [
          `waiting    run ${runId} still waits${until}; it goes on without this command`,
          `           mayday show ${runId}`,
        ],
        'waiting',
      );
      return 3;
    }
    case 'ended':
      say(
        [...ending(state).slice(1), ...beforeMerge(await changedHereToo(state, env))],
        exitCodeOf(state) === 0 ? 'proven' : 'needs',
      );
      return exitCodeOf(state);
  }
}

const NAMED = 3;

function beforeMerge(changed: readonly string[]): readonly string[] {
  if (changed.length === 0) return [];
  const named = changed.slice(0, NAMED).join(', ') + (changed.length > NAMED ? ', ...' : '');
  const [is, it] = changed.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return [
    `           before you merge: ${plain(named)} ${is} changed in your checkout too; commit ${it}, or put ${it} aside`,
  ];
}

function exitCodeOf(state: RunState): number {
  if (state.life.type !== 'ended') return 1;
  if (state.life.state === 'abandoned') return 4;
  return isProven(state) ? 0 : 5;
}

function checkpointOf(state: RunState): number | null {
  return lastCheckpoint(state)?.number ?? null;
}
