/**
 * Names this machine without giving its machine id away. Container images share a machine id and laptops change the domain of
 * their name, so both the id and the first word of the name count. Only used to tell a reboot from another machine.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { lookOrNull } from '../file/vanished.ts';

const MACHINE_ID_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id'];
const SHOWN_HEX = 16;

let known: string | undefined;

export function hostId(): string {
  known ??= createHash('sha256')
    .update(`${machineId()}\n${hostname().split('.')[0]}`)
    .digest('hex')
    .slice(0, SHOWN_HEX);
  return known;
}

function machineId(): string {
  for (const path of MACHINE_ID_FILES) {
    const text = lookOrNull(() => readFileSync(path, 'utf8'))?.trim();
    if (text) return text;
  }
  return '';
}
