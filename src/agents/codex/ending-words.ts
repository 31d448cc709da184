/** `CODEX_WORDS`: words of Codex that name a cause. */
import { recognisers } from '../../core/lexicon/recogniser.ts';

export const CODEX_WORDS = recognisers(String.raw`
  codex.session session_corrupt 0.7
    i no rollout found
  codex.context context_overflow 0.7
    i ran out of room in the model
`);
