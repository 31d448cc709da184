/** `CLAUDE_WORDS`: words of Claude Code that name a cause. */
import { recognisers } from '../../core/lexicon/recogniser.ts';

export const CLAUDE_WORDS = recognisers(String.raw`
  claude.refusal model_refusal 0.8
    i unable to respond to this request
  claude.session session_corrupt 0.7
    i tool use concurrency issues|no conversation found with session id
  claude.login auth_failure 0.7
    i this organization has been disabled|oauth token (?:has expired|revoked|is invalid)
  claude.dropped network_failure 0.6
    i connection to the api was lost
  claude.start environment 0.5
    i cannot be used with root|git-bash
`);
