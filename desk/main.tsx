/** The page of the desk: draws the view that the address names, and redraws what changes. */
import { render } from 'preact';
import { App } from './app.tsx';
import { sendUnsent } from './inbox/unsent.ts';
import { begin } from './store.ts';
import './tokens.css';
import './desk.css';

const place = document.querySelector('#desk');
if (place !== null) render(<App />, place);
void begin(sendUnsent);
