/**
 * `agentWords`: quotes the agent's own commit messages for the message of the delivered commit. The text is bounded and has no secrets
 * and no control characters.
 */
import type { Redactor } from '../../record/redaction/redact.ts';
import type { AgentCommits } from './agent-commits.ts';

const MAX_COMMIT_CHARS = 600;
const MAX_CHARS = 6_000;
/** Control characters, and characters that reverse or hide text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function agentWords({ messages, isCut }: AgentCommits, redactor: Redactor): string {
  const quoted: string[] = [];
  let length = 0;
  for (const message of messages) {
    const clean = redactor.redact(message);
    const text = clean.length > MAX_COMMIT_CHARS ? `${clean.slice(0, MAX_COMMIT_CHARS - 1)}…` : clean;
    if ((length += text.length) > MAX_CHARS) break;
    // In a quote, no line of the agent can count as a trailer of this commit.
    quoted.push(
      text
        .split('\n')
        .map((line) => `> ${line.replaceAll(UNSEEN, ' ')}`.trimEnd())
        .join('\n'),
    );
  }
  const isWhole = !isCut && quoted.length === messages.length;
  const count = `${messages.length}${isCut ? ' newest' : ''} commit${messages.length === 1 ? '' : 's'}`;
  return [
    `The agent's own words, from ${count} that are one commit here${isWhole ? '' : ' (the first of them)'}:`,
    ...quoted,
  ].join('\n\n');
}
