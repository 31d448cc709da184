/**
 * `neutralStore`: reads the neutral form from a file, one step per line. No program stores it, so it is read only when its path is given.
 */
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { jsonText } from '../../core/text/json.ts';
import {
  noFacts,
  readRecord,
  type SessionFacts,
  type SessionReader,
  type SessionStore,
} from '../sessions/session-store.ts';
import { createStepReader } from './steps.ts';

const STEP_TYPES = new Set(['action', 'observation', 'message', 'error']);

export const neutralStore: SessionStore = {
  name: 'neutral',
  title: 'agent',
  list: () => [],
  recognises: (records) =>
    records.some((step) => STEP_TYPES.has(jsonText(step['type'])) && ('input' in step || 'output' in step)),
  reader: () => new NeutralReader(),
  resumeCommand: () => null,
  headlessResume: () => null,
  program: null,
};

class NeutralReader implements SessionReader {
  readonly #steps = createStepReader();
  readonly #facts = noFacts();

  push(line: string): readonly TranscriptEntry[] {
    const step = readRecord(line, this.#facts);
    return step === null ? [] : this.#steps(step);
  }

  facts(): SessionFacts {
    return { ...this.#facts };
  }
}
