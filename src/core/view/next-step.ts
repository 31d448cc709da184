/** `nextStep`: what happens next, or what a person can do now, in one sentence. */
import { fetchCommand } from './delivered-work.ts';
import { answerCall } from '../vocabulary/questions/question.ts';
import { recommendedOf } from '../vocabulary/questions/recommended.ts';
import { bindingHold } from '../vocabulary/hold.ts';
import { isStopped, openQuestion, type RunState } from '../state/run-state.ts';

export function nextStep(state: RunState): string | null {
  const { life, runId } = state;
  switch (life.type) {
    case 'queued':
      return 'a worker takes it: mayday work';
    case 'preparing':
      return 'the workspace is being prepared';
    case 'working':
      return 'the agent works';
    case 'stopping':
      return 'the agent is being stopped';
    case 'examining':
      return 'Mayday looks at what the attempt left behind';
    case 'checking':
      return 'Mayday runs the checks';
    case 'delivering':
      return 'the work is being delivered';
    case 'waiting': {
      const question = openQuestion(state)?.question;
      if (question !== undefined) return answerCall(question, recommendedOf(question), 'code');
      if (isStopped(state)) return `mayday resume ${runId}`;
      if (life.until === null) return `${life.reason}; mayday holds says what ends it`;
      // Its own pause ends; the hold does not by itself.
      const hold = bindingHold(state.holds);
      return hold !== undefined && hold.until === null
        ? `${hold.reason}; mayday holds says what ends it`
        : `resumes by itself at ${new Date(life.until).toISOString()}`;
    }
    case 'ended':
      if (life.state === 'abandoned') return `mayday show ${runId}`;
      return fetchCommand(state);
  }
}
