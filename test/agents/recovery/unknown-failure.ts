/** A failure that no rule can explain, and what a good recovery agent says about it. */

export const INPUT = {
  output: 'loading plan\nthe frobnicator could not be aligned with axis 7\nbye\n',
  exitCode: 3,
  command: './frob',
};
export const GOOD = {
  failure_class: 'environment',
  root_cause: 'axis 7 is missing in frob.cfg',
  evidence: ['the frobnicator could not be aligned with axis 7'],
  next_step: 'add axis 7 to frob.cfg',
  confidence: 0.95,
};
