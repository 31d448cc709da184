/** The library: what the command line does, for programs. Documents have the keys of `--json`; they are added to, never renamed. */
export { autopsy, type AutopsyInput, type AutopsyVerdict } from './library/autopsy.ts';
export { diagnose, type DiagnoseInput, type DiagnosisDocument } from './library/diagnose.ts';
export { supervise, type RunDocument, type SuperviseOptions } from './library/supervise.ts';
export { MaydayError } from './platform/mayday-error.ts';
