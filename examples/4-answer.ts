/** A decision is a person's: here a program passes it on. Without `onQuestion` it would wait in the inbox. */
import { supervise } from 'mayday';

const run = await supervise({
  task: 'add a login',
  command: ['sh', '-c', 'mkdir -p src db; echo 1 > src/login.js; echo 2 > db/tokens.js'],
  checks: ['test -f src/login.js'],
  scope: ['src/**'],
  onQuestion: async (question) => {
    console.log(question.text);
    return { option: 'expand_scope', note: 'the token table is fine' };
  },
});
console.log(run.state, run.delivered?.files.join(' '));
