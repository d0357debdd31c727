import { rename, rm, writeFile } from 'node:fs/promises'
import { arch, cpus, freemem, release, totalmem, type, uptime } from 'node:os'
import type { Result } from '../diagnosis/index.ts'
import { isFaultOfDisk } from '../disk-error.ts'
import { userName } from '../user-name.ts'
import type { FoundLog } from './log-lines.ts'
import { scrubText, secretRemover } from './scrub.ts'
import { type TarEntry, tarGzip } from './tar.ts'

const README = `This bundle describes an installation of Plantroom for the people who help with it.

versions.json   the program, Node, the system and its resources
settings.json   every setting that is set, where it comes from, and secrets masked
doctor.json     the results of "plantroom doctor"
counts.json     how much is stored, without any of it
metrics.txt     the metrics of the running program, if it answered
logs/           the last events of the logs; texts that may contain names, addresses or contents are left out

It contains no secrets and no personal data. Look at it before you send it.
`

/** The folder of a person bears a name. */
const HOME = /(\/(?:home|Users)\/)[^/\s"]+/g

export interface BundleParts {
  version: string
  /** Masked settings. */
  settings: unknown
  doctor: readonly Result[]
  counts: unknown
  metrics: string | undefined
  logs: readonly FoundLog[]
  /** Everything that gives access, to be removed wherever it appears. */
  secrets: readonly string[]
  now: number
}

/** Writes a support bundle, readable by its owner only. A file appears when it is complete. */
export async function writeBundle(path: string, parts: BundleParts): Promise<void> {
  const bytes = await tarGzip(bundleEntries(parts), parts.now)
  const unfinished = `${path}.unfinished-${process.pid}`
  try {
    await writeFile(unfinished, bytes, { mode: 0o600, flag: 'wx' })
    await rename(unfinished, path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (isFaultOfDisk(code)) throw error
    throw new Error(`${path} cannot be written (${code}): name a file in a folder that ${userName()} may write`)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** The files of a bundle. */
export function bundleEntries(parts: BundleParts): TarEntry[] {
  const { version, settings, doctor, counts, metrics, logs, secrets, now } = parts
  const withoutSecrets = secretRemover(secrets)
  const clean = (text: string) => withoutSecrets(text).replace(HOME, '$1…')
  const file = (name: string, content: string) => ({ name: `plantroom-support/${name}`, content: clean(content) })
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  const results = doctor.map((result) => ({
    ...result,
    text: scrubText(result.text),
    ...(result.remedy && { remedy: scrubText(result.remedy) }),
  }))
  return [
    file('README.txt', README),
    file('versions.json', json({ ...machine(), version, at: new Date(now).toISOString() })),
    file('settings.json', json(settings)),
    file('doctor.json', json(results)),
    file('counts.json', json(counts)),
    ...(metrics === undefined ? [] : [file('metrics.txt', metrics)]),
    ...logs.map(({ name, lines }) => file(`logs/${name}`, `${lines.join('\n')}\n`)),
  ]
}

function machine() {
  return {
    node: process.versions.node,
    openssl: process.versions.openssl,
    icu: process.versions.icu,
    timeZones: process.versions.tz,
    system: `${type()} ${release()} ${arch()}`,
    cpus: cpus().length,
    memoryMb: Math.round(totalmem() / 1e6),
    freeMemoryMb: Math.round(freemem() / 1e6),
    uptimeS: Math.round(uptime()),
  }
}
