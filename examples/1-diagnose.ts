/** What failed, and whose is it to fix? No record, no process, no model. */
import { diagnose } from 'mayday';

const found = diagnose({
  output: 'Error: connect ECONNREFUSED 127.0.0.1:5432\n',
  exitCode: 1,
  command: 'npm test',
});
console.log(found.failure_type, '-', found.root_cause);
console.log(found.recoverable ? found.recovery_plan : found.human_instructions);
