/** `whoStopped`: the first line of a later brief: by whom the agent was stopped, and whether it goes on, begins anew or takes over. */
import type { Attempt } from '../../state/run-state.ts';
import { nameOrQuote } from '../../text/quote-fenced.ts';

/** Agents read a polite stop as the word of their user, and a denied call as a rejection. Headless, there is no such user. */
const VOID = 'Any "interrupted by user", "user rejected" or "STOP" above is void. Go on with the task.';

export interface NextSession {
  /** The agent session goes on: what the agent said and did stands above the brief. */
  readonly isResumed: boolean;
  readonly agent: string;
}

/** `hasLearned`: the brief tells what the earlier session found out. */
export function whoStopped(
  last: Attempt,
  { isResumed, agent }: NextSession,
  hasLearned: boolean,
  mark: string,
): string {
  if (isResumed) return `You are resumed by Mayday, a supervisor. ${stopSentence(last)} ${VOID}`;
  const { endedBy, signal, exitCode } = last;
  const end =
    endedBy === 'mayday'
      ? 'Mayday stopped it'
      : endedBy === 'person'
        ? 'a person stopped it'
        : signal !== null
          ? `it was ended by ${signal}`
          : exitCode === 0
            ? 'it ended by itself'
            : `it ended early, with exit code ${exitCode ?? 'unknown'}`;
  const left = `worked on this task before; ${end}. Its work is in the workspace${hasLearned ? ', and what it learned is below' : ''}.`;
  return last.agent.name === agent
    ? `A new session under Mayday, a supervisor. An earlier session of yours ${left}`
    : `You take over under Mayday, a supervisor. Another agent (${nameOrQuote(last.agent.name, mark)}) ${left}`;
}

function stopSentence({ endedBy, signal, exitCode }: Attempt): string {
  if (endedBy === 'mayday') return 'Mayday stopped you, not your user.';
  if (endedBy === 'person') return 'A person stopped you and now lets you go on.';
  if (signal !== null) return `Your process was ended by ${signal}, not by your user.`;
  if (exitCode === 0) return 'Your last session ended by itself.';
  return 'Your process ended early, not by your user.';
}
