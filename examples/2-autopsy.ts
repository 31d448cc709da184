/** Where did a session get stuck? Steps in the neutral form; `{ file }` reads the sessions of agent CLIs. */
import { autopsy } from 'mayday';

const steps = Array.from({ length: 8 }, () => [
  { type: 'action', tool: 'shell', input: 'npm test' },
  { type: 'observation', output: '1 failing: expected 200, got 500' },
]).flat();
const verdict = autopsy({ id: 'last-night', steps });
console.log(verdict.state, 'since step', verdict.first_stuck_step, '-', verdict.signals[0]?.reason);
