import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { closestName } from '../closest-name.ts'
import type { Entries, Environment, FoundSettings } from './found-settings.ts'
import type { FileValue, Places } from './parse-file.ts'

export const CONFIG_VARIABLE = 'PLANTROOM_CONFIG'
/** The value of `PLANTROOM_CONFIG` that reads no file. */
export const NO_FILE = 'none'
const FILE_NAME = 'plantroom.yaml'
const SYSTEM_FOLDER = '/etc/plantroom'
const ENDING = '_FILE'
const PREFIX = 'PLANTROOM_'
const MAX_BYTES = 1_000_000
const OTHERS_MAY_READ = 0o004

interface Options {
  env: Environment
  /** The file that the command line names. */
  path?: string | undefined
  /** The settings of this program. */
  own: Entries
  /** The settings of every program, which one file may have together. */
  all: readonly Entries[]
  /** Replaces `/etc/plantroom` in a test. */
  systemFolder?: string
}

/** The values collected so far. */
interface Collected {
  values: Record<string, string | undefined>
  origins: Record<string, string>
  labels: Record<string, string>
  problems: string[]
  warnings: string[]
}

/**
 * Finds the settings of a program: in the environment, then in files that `…_FILE` variables name, then in
 * `plantroom.yaml`. Never rejects: what is wrong is among the problems.
 */
export async function findSettings(options: Options): Promise<FoundSettings> {
  const { env, own } = options
  const found: Collected = { values: { ...env }, origins: {}, labels: {}, problems: [], warnings: [] }
  for (const name of Object.keys(own)) if (env[name]) found.origins[name] = 'the environment'
  found.warnings.push(...misspelled(options))
  await readSecretVariables(options, found)
  const file = await findFile(options, found.problems)
  if (file !== undefined) await readSettingsFile(file, options, found)
  return { ...found, file }
}

/** The named file, or the first that exists of the one of the system and the one in the data folder. */
async function findFile({ env, path, systemFolder = SYSTEM_FOLDER }: Options, problems: string[]) {
  const named = path ?? (env[CONFIG_VARIABLE] || undefined)
  if (named === NO_FILE) return undefined
  if (named !== undefined) return resolve(named)
  for (const folder of [systemFolder, resolve(env.PLANTROOM_DATA || '.plantroom')]) {
    const candidate = join(folder, FILE_NAME)
    try {
      await stat(candidate)
      return candidate
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // A file that this user may not look for must not be left out silently.
      if (code !== 'ENOENT' && code !== 'ENOTDIR') problems.push(cannotBeRead(candidate, error))
    }
  }
  return undefined
}

/** Variables that no program has, and that look like one that some program has. */
function misspelled({ env, all }: Options): string[] {
  const known = all.flatMap((table) => Object.keys(table).flatMap((name) => [name, name + ENDING]))
  const strange = Object.keys(env).filter(
    (name) => name.startsWith(PREFIX) && ![...known, CONFIG_VARIABLE].includes(name),
  )
  return strange.flatMap((name) => {
    const meant = closestName(name, known)
    return meant === undefined ? [] : [`${name}: no program has this setting; did you mean ${meant}?`]
  })
}

async function readSecretVariables({ env, own }: Options, found: Collected): Promise<void> {
  for (const [name, { secret }] of Object.entries(own)) {
    const path = env[name + ENDING]
    if (!secret || !path) continue
    if (env[name]) found.problems.push(`${name} and ${name}${ENDING}: set only one`)
    else await readSecret(resolve(path), name, { label: name + ENDING, origin: `${name}${ENDING}, ${path}` }, found)
  }
}

async function readSecret(
  path: string,
  name: string,
  { label, origin }: { label: string; origin: string },
  found: Collected,
): Promise<void> {
  const text = await readSmall(path).catch(
    (error) => void found.problems.push(`${label}: ${cannotBeRead(path, error)}`),
  )
  if (text === undefined) return
  const secret = text.trim()
  if (secret === '') found.problems.push(`${label}: ${path} is empty`)
  found.values[name] = secret
  found.origins[name] = origin
  found.labels[name] = label
  await warnIfOpen(path, found.warnings)
}

async function readSettingsFile(path: string, { own, all }: Options, found: Collected): Promise<void> {
  const text = await readSmall(path).catch((error) => void found.problems.push(cannotBeRead(path, error)))
  if (text === undefined) return
  // Loaded only for a file: a controller with an environment needs no parser in its memory.
  const { parseSettingsFile } = await import('./parse-file.ts')
  const { values, problems } = parseSettingsFile(path, text, placesOf(all))
  found.problems.push(...problems)
  for (const [name, { place, kind, secret }] of Object.entries(own)) {
    if (place === undefined) continue
    const direct = values.get(place)
    const inFile = secret ? values.get(`${place}${ENDING.toLowerCase()}`) : undefined
    if (direct && inFile) found.problems.push(`${path} line ${inFile.line}, ${place}: give it or its file, not both`)
    // The environment wins.
    else if (found.values[name]) continue
    else if (inFile) await takeSecretFile(path, name, place, inFile, found)
    else if (direct) takeValue(path, name, { place, kind }, direct, found)
  }
  await warnAboutSecrets(path, all, values, found.warnings)
}

function takeValue(
  path: string,
  name: string,
  { place, kind }: { place: string; kind: string },
  { text, line }: FileValue,
  found: Collected,
): void {
  // A relative path in a file is meant from where the file is.
  found.values[name] = kind === 'path' && text !== '' ? resolve(dirname(path), text) : text
  found.origins[name] = `${path} line ${line}`
  found.labels[name] = `${path} line ${line}, ${place}`
}

async function takeSecretFile(
  path: string,
  name: string,
  place: string,
  { text, line }: FileValue,
  found: Collected,
): Promise<void> {
  const label = `${path} line ${line}, ${place}${ENDING.toLowerCase()}`
  await readSecret(resolve(dirname(path), text), name, { label, origin: `${path} line ${line}, ${text}` }, found)
}

/** Everything that the file may have. */
function placesOf(tables: readonly Entries[]): Places {
  const entries = tables.flatMap((table) => Object.values(table)).filter(({ place }) => place !== undefined)
  return new Map(
    entries.flatMap(({ place = '', kind, secret }) => [
      [place, { kind }] as const,
      ...(secret ? [[`${place}${ENDING.toLowerCase()}`, { kind: 'path' }] as const] : []),
    ]),
  )
}

async function warnAboutSecrets(
  path: string,
  tables: readonly Entries[],
  values: ReadonlyMap<string, unknown>,
  warnings: string[],
): Promise<void> {
  const secrets = tables.flatMap((table) => Object.values(table)).filter(({ secret }) => secret)
  if (secrets.some(({ place = '' }) => values.has(place))) await warnIfOpen(path, warnings)
}

async function warnIfOpen(path: string, warnings: string[]): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & OTHERS_MAY_READ) === 0) return
  warnings.push(`everyone on this machine can read the secrets in ${path}: chmod o= ${path}`)
}

/** Reads a file of settings or a secret. A device that never ends must not fill the memory. */
async function readSmall(path: string): Promise<string> {
  const content = await textOf(createReadStream(path, { encoding: 'utf8', end: MAX_BYTES }))
  if (content.length > MAX_BYTES) throw Object.assign(new Error('too large'), { code: 'larger than 1 MB' })
  return content
}

function cannotBeRead(path: string, error: unknown): string {
  return `${path} cannot be read (${(error as NodeJS.ErrnoException).code}): create it, allow this user to read it, or name another`
}
