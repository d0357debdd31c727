import { VERSION } from '@plantroom/contract/version'
import { COMMON_FLAGS } from '../command.ts'
import { nameOf, optionTerm, synopsisOf, withoutCommon } from '../help.ts'
import type { VerbReference } from './model.ts'
import { byGroup, type Reference } from './reference.ts'

const SETTINGS = [
  ['PLANTROOM_PROFILE', 'the profile to use'],
  ['PLANTROOM_URL', 'the service'],
  ['PLANTROOM_API_KEY', 'the API key of a partner'],
  ['PLANTROOM_ADMIN_TOKEN', 'the admin token of the operator'],
  ['PLANTROOM_ORG, PLANTROOM_SITE, PLANTROOM_DEVICE', 'the organization, the site and the device'],
  ['PLANTROOM_DATA', 'the data folder; ./.plantroom by default'],
  ['XDG_CONFIG_HOME', 'where profiles are kept; ~/.config by default'],
] as const
const EXITS = [
  ['0', 'done'],
  ['1', 'failed: one line on standard error says why and what to do; with --json an object'],
  ['2', 'wrong usage'],
] as const

/** Returns the man page plantroom(1) in the macros of man(7). */
export function manPage(reference: Reference): string {
  const groups = byGroup(reference).filter(({ commands }) => commands.length > 0)
  return [
    `.TH PLANTROOM 1 "" "Plantroom ${VERSION}" "Plantroom"`,
    '.SH NAME',
    'plantroom \\- control building equipment safely',
    '.SH SYNOPSIS',
    '.B plantroom',
    '.I COMMAND',
    '.RI [ VERB ]',
    '.RI [ ARGUMENT \\|.\\|.\\|.]',
    '.RI [ OPTION \\|.\\|.\\|.]',
    '.SH DESCRIPTION',
    escaped(
      'plantroom runs the parts of Plantroom, administers an installation, controls equipment and moves maintenance requests. Options may stand before, between and after arguments.',
    ),
    '.SH COMMON OPTIONS',
    'Every command that talks to the service takes these.',
    ...Object.entries(COMMON_FLAGS).flatMap(([name, option]) => tagged(optionTerm(name, option), option.about)),
    ...groups.flatMap(({ title, commands }) => [
      `.SH ${escaped(title.toUpperCase())}`,
      ...commands.flatMap(([name, { about, verbs, notes }]) => [
        `.SS ${escaped(name)}`,
        sentence(about),
        ...Object.entries(verbs).flatMap(([verb, declared]) =>
          describeVerb(nameOf(name, verb), withoutCommon(declared)),
        ),
        ...(notes === undefined ? [] : notes.split('\n').flatMap((line) => ['.PP', escaped(line)])),
      ]),
    ]),
    '.SH ENVIRONMENT',
    ...SETTINGS.flatMap(([name, about]) => tagged(name, about)),
    '.SH EXIT STATUS',
    ...EXITS.flatMap(([code, about]) => tagged(code, about)),
    '.SH FILES',
    ...tagged('$XDG_CONFIG_HOME/plantroom/profiles/NAME.json', 'a profile, readable only by its owner'),
    '',
  ].join('\n')
}

function describeVerb(name: string, declared: VerbReference): string[] {
  const { about, arguments: expected, options, json, examples } = declared
  const described = expected.flatMap((argument) => {
    const text = withChoices(argument.about ?? '', argument.choices)
    return text === '' ? [] : tagged(argument.name, text)
  })
  const details = [
    ...described,
    ...Object.entries(options).flatMap(([option, each]) =>
      tagged(optionTerm(option, each), withChoices(each.about, each.choices)),
    ),
    ...(json === undefined ? [] : tagged('JSON result', json)),
    ...(examples ?? []).flatMap((line) => ['.PP', '.EX', escaped(line), '.EE']),
  ]
  return [
    '.TP',
    `.B ${escaped(synopsisOf(name, declared))}`,
    sentence(about),
    ...(details.length > 0 ? ['.RS', ...details, '.RE'] : []),
  ]
}

function withChoices(about: string, choices: readonly string[] | undefined): string {
  return [about, ...(choices ? [choices.join(', ')] : [])].filter((text) => text !== '').join(': ')
}

const tagged = (term: string, about: string) => ['.TP', `.B ${escaped(term)}`, escaped(about)]

const sentence = (text: string) => escaped(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`)

/** Escapes a line of text for roff: backslashes, hyphens that must stay hyphens, and control lines. */
export function escaped(text: string): string {
  const line = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll('…', '\\|.\\|.\\|.')
    .replaceAll(/\s+/g, ' ')
  return line.startsWith('.') ? `\\&${line}` : line
}
