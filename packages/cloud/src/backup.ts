import { access, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { describeDiskError } from '@plantroom/base/disk-error'
import { optionProblem } from '@plantroom/base/option-problem'
import { userName } from '@plantroom/base/user-name'
import { shown } from '@plantroom/contract/shown'
import { assertReadable, type KeyFlags, keysOf, recipientsOf, UsageError } from './backup-keys.ts'
import { loadConfig } from './config.ts'
import type { Keys, Summary } from './platform/backup/index.ts'
import { backUp, checkBackup, restore } from './wire/backup.ts'

const USAGE = `plantroom backup FILE          write database, files and secrets of one moment to FILE, while the service runs
plantroom backup -             write the backup to standard output
plantroom backup verify FILE   compare a backup with its checksums, without restoring it
plantroom restore FILE         restore a backup into the database and the data folder of the settings

Run them on the machine of the cloud, as its user and with its settings: see docs/how-to/back-up-and-restore.md.
--config FILE   takes the settings of the service from this file, besides the environment
--with-bucket   copies the files of an S3 bucket into the backup, which otherwise only lists them
--encrypt-to age1…      encrypts the backup to a public key of age; may be repeated
--passphrase-file FILE  encrypts the backup to the passphrase in FILE, or decrypts it with it
--identity-file FILE    decrypts the backup with the private keys in FILE, as age-keygen writes them
--unencrypted           writes a backup to standard output as it is
--without-secrets       leaves the secrets of the data folder out
--force         lets backup replace FILE, if it exists
--replace       lets restore delete the data that is already there
--json          prints the result as JSON`

async function main(): Promise<void> {
  const [command, ...args] = process.argv.slice(2)
  const { values, positionals } = parse(args)
  if (values.help || command === '--help') return say(USAGE)
  const isVerify = command === 'backup' && positionals[0] === 'verify'
  const [file, surplus] = isVerify ? positionals.slice(1) : positionals
  if (file === undefined) throw new UsageError('FILE is missing')
  if (surplus !== undefined) throw new UsageError(`unexpected argument ${surplus}`)
  const isReading = isVerify || command === 'restore'
  refuseMisplaced(values, { isReading, isRestore: command === 'restore' })
  if (file !== '-' && isReading) await assertReadable(file)
  const keys = isReading ? await keysOf(values) : undefined
  if (isVerify)
    return report(await checkBackup(file, keys), { ...values, done: 'The backup is complete and undamaged.' })
  if (command === 'restore') return restoreFile(file, values, keys)
  await backUpTo(file, values)
}

/** Options that only some of the commands have. */
function refuseMisplaced(flags: Flags, { isReading, isRestore }: { isReading: boolean; isRestore: boolean }): void {
  const ofBackup = ['force', 'with-bucket', 'encrypt-to', 'unencrypted', 'without-secrets'] as const
  const misplaced = isReading ? ofBackup.find((name) => flags[name]) : undefined
  if (misplaced) throw new UsageError(`--${misplaced} belongs to backup`)
  if (flags.replace && !isRestore) throw new UsageError('--replace belongs to restore')
  if (flags['identity-file'] && !isReading) {
    throw new UsageError('--identity-file belongs to restore and backup verify: encrypt with --encrypt-to age1…')
  }
}

interface Flags extends KeyFlags {
  config?: string | undefined
  'without-secrets'?: boolean | undefined
  json?: boolean | undefined
  force?: boolean | undefined
  replace?: boolean | undefined
  'with-bucket'?: boolean | undefined
}

function parse(args: readonly string[]) {
  const flag = { type: 'boolean' } as const
  const options = {
    help: { ...flag, short: 'h' },
    config: { type: 'string' as const },
    json: flag,
    force: flag,
    replace: flag,
    'with-bucket': flag,
    'encrypt-to': { type: 'string' as const, multiple: true as const },
    'passphrase-file': { type: 'string' as const },
    'identity-file': { type: 'string' as const },
    unencrypted: flag,
    'without-secrets': flag,
  }
  const problem = optionProblem(args, options)
  if (problem !== undefined) throw new UsageError(problem)
  return parseArgs({ args: [...args], allowPositionals: true, options })
}

async function backUpTo(file: string, flags: Flags): Promise<void> {
  const encryptTo = await recipientsOf(flags)
  const options = { withBucket: flags['with-bucket'] ?? false, withoutSecrets: flags['without-secrets'], encryptTo }
  if (file === '-') {
    if (!encryptTo && !flags.unencrypted) {
      throw new UsageError(
        'what leaves through a pipe should be encrypted: add --encrypt-to age1… or --passphrase-file FILE, or --unencrypted',
      )
    }
    if (process.stdout.isTTY) throw new UsageError('a backup is no text for a terminal: write it to a file or a pipe')
    // The write that failed reports it.
    process.stdout.on('error', () => {})
    const summary = await backUp(await loadConfig(flags.config), { ...options, write: writeToOutput })
    return report(summary, { ...flags, done: 'The backup is complete.' }, process.stderr)
  }
  if (!flags.force) await refuseExisting(file)
  // Only a complete backup gets its name.
  const partial = `${file}.partial`
  const handle = await open(partial, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `${userName()} cannot write ${partial} (${error.code}): choose a folder where it can, or write the file yourself with: plantroom backup - > FILE`,
    )
  })
  try {
    const write = async (bytes: Uint8Array) => {
      for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done)).bytesWritten
    }
    const summary = await backUp(await loadConfig(flags.config), { ...options, write })
    await handle.sync()
    await handle.close()
    // Another backup may have got the name since.
    if (!flags.force) await refuseExisting(file)
    await rename(partial, file)
    await using folder = await open(dirname(file))
    await folder.sync()
    report(summary, { ...flags, done: `The backup is complete. ${adviceOf(flags)}` })
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(partial, { force: true })
    throw error
  }
}

/** The backup of yesterday may be the only good one. */
async function refuseExisting(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  if (exists) throw new Error(`${file} exists: choose another name, or replace it with --force`)
}

function adviceOf(flags: Flags): string {
  if (flags['encrypt-to']) return 'It is encrypted: keep the private key elsewhere, and try it with backup verify.'
  if (flags['passphrase-file']) return 'It is encrypted: keep the passphrase elsewhere.'
  const contents = flags['without-secrets'] ? 'personal data' : 'personal data and secrets'
  return `It contains ${contents} and is not encrypted: before it leaves this machine, make it with --encrypt-to.`
}

/** Resolves when the bytes may be used again. */
function writeToOutput(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}

async function restoreFile(file: string, flags: Flags, keys: Keys | undefined): Promise<void> {
  const config = await loadConfig(flags.config)
  const restored = await restore(config, file, { replace: flags.replace ?? false, keys })
  report(restored, { ...flags, done: 'The backup is restored. Start the cloud and the worker.' })
  const { settings, withoutSecrets = [] } = restored.description
  if (settings.length > 0) warn(`the backup does not contain ${settings.join(', ')}: set them as they were`)
  if (withoutSecrets.length > 0) {
    warn(
      `the backup was made without secrets: before you start the cloud, put ${withoutSecrets.join(', ')} into ${config.folder} as they were. Without factor-key, second factors, webhooks and targets of exports must be entered again; the others are made anew`,
    )
  }
  if (restored.missing.length > 0) {
    warn(`${restored.missing.length} attachments are no longer in the bucket, the first is ${restored.missing[0]}`)
  }
}

const warn = (text: string) => process.stderr.write(`plantroom restore: ${text}\n`)
const say = (text: string, to: NodeJS.WritableStream = process.stdout) => void to.write(`${text}\n`)

function report(
  { description, manifest, bytes }: Summary,
  options: Flags & { done: string },
  to?: NodeJS.WritableStream,
): void {
  const { plantroom, createdAt, files: place } = description
  const rows = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)
  const result = {
    plantroom,
    createdAt,
    bytes,
    tables: description.tables.length,
    rows,
    files: manifest.files,
    fileBytes: manifest.fileBytes,
    filesAre: place,
  }
  if (options.json) {
    say(JSON.stringify(result), to)
    return
  }
  const where = place === 'bucket' ? 'listed, and stay in the bucket' : 'included'
  say(
    `${options.done}\n${rows} rows in ${result.tables} tables, ${manifest.files} files (${where}), ${bytes} bytes; data of ${createdAt}, Plantroom ${plantroom}`,
    to,
  )
}

const LONGEST_MESSAGE = 20_000
try {
  await main()
} catch (error) {
  const name = process.argv[2] ?? 'backup'
  const hint = error instanceof UsageError ? `; see plantroom ${name} --help` : ''
  process.stderr.write(`plantroom ${name}: ${shown(describeDiskError(error), LONGEST_MESSAGE)}${hint}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
