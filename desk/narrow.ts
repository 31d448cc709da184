/** `narrow`: whether the page is as narrow as a phone: a few parts then stand in another order, not only in another size. */
import { signal } from '@preact/signals';

/** The same width as in desk.css. */
const PHONE = matchMedia('(max-width: 760px)');

export const narrow = signal(PHONE.matches);

PHONE.addEventListener('change', () => (narrow.value = PHONE.matches));
