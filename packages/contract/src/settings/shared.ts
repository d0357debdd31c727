import type { Setting } from './setting.ts'

/** The guides, as the page of the settings links to them. */
export const GUIDES = '../how-to'

/** Settings that several programs have, and that mean the same in each. */
export const DATA = {
  place: 'data',
  kind: 'path',
  default: './.plantroom',
  meaning: 'data folder',
} as const satisfies Setting

export const LOG_LEVEL = {
  place: 'log_level',
  kind: 'choice',
  choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
  default: 'info',
  meaning: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
} as const satisfies Setting

export const LOG_FORMAT = {
  place: 'log_format',
  kind: 'choice',
  choices: ['auto', 'text', 'json'],
  default: 'auto',
  meaning: '`text` for people, `json` for programs, or `auto`: text on a terminal, otherwise JSON',
} as const satisfies Setting

export const NO_COLOR = {
  kind: 'text',
  without: 'unset: colours on a terminal',
  meaning: 'any text turns the colours of the log off',
} as const satisfies Setting

/** A port of this machine. */
export const port = <const Default extends string>(usual: Default) =>
  ({ kind: 'integer', min: 0, max: 65_535, default: usual }) as const

/** A count from 1 on. */
export const count = <const Default extends string, const Max extends number>(usual: Default, max: Max) =>
  ({ kind: 'integer', min: 1, max, default: usual }) as const
