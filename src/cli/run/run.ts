/** `mayday run`: runs one task under supervision until it is delivered, waits for a person, or is abandoned. */
export { followNewRun as run } from './new-run.ts';
