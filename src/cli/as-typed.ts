/** `asTyped`: a line of Mayday with each call as the person has to type it here: `npx mayday …` where Mayday was started so. */
import { EXAMPLES } from './examples.ts';

/** The name of a command and not the head of a line that the command prints: `mayday work: nothing was queued`. */
const CALL = new RegExp(
  `(?<![\\w./-]|npx )mayday (?=(?:${Object.keys(EXAMPLES).join('|')}|--help|--version)(?![\\w:-]))`,
  'g',
);

/** All advice comes to a person through this door; documents, help and what an agent said name the program and pass it by. */
export function asTyped(line: string, env: NodeJS.ProcessEnv = process.env): string {
  return isByNpx(env) ? line.replace(CALL, 'npx $&') : line;
}

/** Children inherit the variables of npm: only the script tells that npx was asked for Mayday, and not for what called it. */
function isByNpx({
  npm_lifecycle_event: event,
  npm_lifecycle_script: script = '',
}: NodeJS.ProcessEnv): boolean {
  return event === 'npx' && /^'?mayday\b/.test(script);
}
