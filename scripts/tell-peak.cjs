// Required by a process that is measured: at its end it writes the peak of its memory, in kB, to descriptor 3. CommonJS, because an import
// would load more of Node than the command does.
const { existsSync, readFileSync, writeSync } = require('node:fs');

const STATUS = '/proc/self/status';

process.on('exit', () => {
  // Not `maxRSS` where there is another way: that of a process counts what its parent had when it started it.
  const peak = existsSync(STATUS)
    ? /VmHWM:\s*(\d+)/.exec(readFileSync(STATUS, 'utf8'))[1]
    : process.resourceUsage().maxRSS;
  writeSync(3, String(peak));
});
