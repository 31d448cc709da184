/** The library: what the command line does, for programs. Documents have the keys of `--json`; they are added to, never renamed. */
export { autopsy, type AutopsyInput, type AutopsyVerdict } from './library/autopsy.ts';
export { diagnose, type DiagnoseInput, type DiagnosisDocument } from './library/diagnose.ts';
export type { RunMoment } from './library/run-moment.ts';
export {
  supervise,
  type RunDocument,
  type SuperviseOptions,
  type Supervision,
} from './library/supervise.ts';
export { watch, type WatchOptions } from './library/watch.ts';
export { MaydayError } from './platform/mayday-error.ts';
