import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { createAtomicFile } from './atomic-file.ts'
import { UsageError } from './command.ts'
import { printable } from './output.ts'
import { nearest, similarNames } from './suggest.ts'

/** A service that a person talks to, and how they prove who they are. */
export interface Profile {
  url: string
  org?: string
  site?: string
  device?: string
  apiKey?: string
  adminToken?: string
}

/** The profiles of a person: one file each, so that two commands at once cannot lose one. */
export interface Profiles {
  names(): string[]
  /** Returns the name of the profile that commands use by default. */
  current(): string | undefined
  /** Throws if there is none of this name, or if others can read it. */
  read(name: string): Profile
  write(name: string, profile: Profile): void
  remove(name: string): void
  /** Makes a profile the default one; undefined leaves none. */
  use(name: string | undefined): void
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const OF_OTHERS = 0o077
const SECRET_FILE = 0o600
const SECRET_FOLDER = 0o700
const FIELDS = ['url', 'org', 'site', 'device', 'apiKey', 'adminToken'] as const

/** Opens the profiles in `$XDG_CONFIG_HOME/plantroom`. */
export function openProfiles(env: NodeJS.ProcessEnv): Profiles {
  // A relative path is invalid and must be ignored, by the specification of XDG.
  const given = env.XDG_CONFIG_HOME
  const base = given !== undefined && isAbsolute(given) ? given : join(env.HOME || homedir(), '.config')
  const folder = join(base, 'plantroom')
  const profiles = join(folder, 'profiles')
  const chosen = join(folder, 'profile')
  const fileOf = (name: string) => join(profiles, `${checked(name)}.json`)

  function write(path: string, text: string): void {
    mkdirSync(profiles, { recursive: true, mode: SECRET_FOLDER })
    const file = createAtomicFile(path, SECRET_FILE)
    try {
      file.write(text)
      file.commit()
    } finally {
      file.discard()
    }
  }
  const names = () => {
    const files = ignoringMissing(() => readdirSync(profiles)) ?? []
    return files.flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []).toSorted()
  }

  return {
    names,
    current: () => ignoringMissing(() => readFileSync(chosen, 'utf8'))?.trim() || undefined,
    read(name) {
      const path = fileOf(name)
      const text = ignoringMissing(() => readSecret(path))
      if (text !== undefined) return parsed(text, path)
      const known = names()
      throw new UsageError(`there is no profile ${printable(name)}${similarNames(nearest(name, known), known)}`)
    },
    write: (name, profile) => write(fileOf(name), `${JSON.stringify(profile, null, 2)}\n`),
    remove: (name) => rmSync(fileOf(name)),
    use(name) {
      if (name === undefined) rmSync(chosen, { force: true })
      else write(chosen, `${checked(name)}\n`)
    },
  }
}

/** Throws a `UsageError` unless a text can be the name of a profile. */
export function checked(name: string): string {
  if (NAME.test(name)) return name
  throw new UsageError(
    `${printable(name)} cannot be the name of a profile: use up to 64 letters, digits, ".", "_" and "-"`,
  )
}

/** Reads a file that contains a secret. Looks at the opened file, which cannot be replaced in between. */
function readSecret(path: string): string {
  const file = openSync(path, 'r')
  try {
    const mode = fstatSync(file).mode & 0o777
    if ((mode & OF_OTHERS) !== 0) {
      throw new Error(
        `${path} contains a secret that other users can read (mode ${mode.toString(8)}): run chmod 600 ${path}, and replace the secret if somebody may have read it`,
      )
    }
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

function parsed(text: string, path: string): Profile {
  const broken = new Error(`${path} is not a profile: remove it and add it again with plantroom profile add`)
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw broken
  }
  if (typeof content !== 'object' || content === null) throw broken
  const values = content as Record<string, unknown>
  const isText = (name: string) => values[name] === undefined || typeof values[name] === 'string'
  if (typeof values.url !== 'string' || !FIELDS.every(isText)) throw broken
  return values as unknown as Profile
}

function ignoringMissing<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
