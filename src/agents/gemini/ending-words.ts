/** `GEMINI_WORDS`: words of Gemini CLI that name a cause. */
import { recognisers } from '../../core/lexicon/recogniser.ts';

export const GEMINI_WORDS = recognisers(String.raw`
  gemini.loop looping 0.9
    i ^loop detected, stopping execution
  gemini.session session_corrupt 0.7
    i invalid session identifier|no previous sessions
  gemini.daily rate_limited 0.7
    i exceeded your current quota\. limit
`);
