import { access, constants, readFile } from 'node:fs/promises'
import { userName } from '@plantroom/base/user-name'
import type { Keys, Recipients } from './platform/backup/index.ts'

/** A mistake in the arguments. */
export class UsageError extends Error {}

/** The options with which a backup is encrypted and decrypted. */
export interface KeyFlags {
  'encrypt-to'?: string[] | undefined
  'passphrase-file'?: string | undefined
  'identity-file'?: string | undefined
  unencrypted?: boolean | undefined
}

/** Throws with what to do when this user cannot read a file. */
export async function assertReadable(file: string): Promise<void> {
  await access(file, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    const hint =
      error.code === 'ENOENT' ? 'there is no such file' : 'copy it to a folder where it can, for example /var/tmp'
    throw new Error(`${userName()} cannot read ${file} (${error.code}): ${hint}`)
  })
}

/** What decrypts the backup that the options name. */
export async function keysOf(flags: KeyFlags): Promise<Keys | undefined> {
  const { 'identity-file': identityFile, 'passphrase-file': passphraseFile } = flags
  if (identityFile !== undefined && passphraseFile !== undefined) {
    throw new UsageError('--identity-file and --passphrase-file: give only one')
  }
  if (passphraseFile !== undefined) return { passphrase: await readPassphrase(passphraseFile) }
  if (identityFile === undefined) return undefined
  await assertReadable(identityFile)
  const lines = (await readFile(identityFile, 'utf8')).split('\n').map((line) => line.trim())
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'))
  if (identities.length === 0) throw new Error(`${identityFile} has no AGE-SECRET-KEY-1…: give the file of age-keygen`)
  return { identities }
}

/** The first line. */
async function readPassphrase(file: string): Promise<string> {
  await assertReadable(file)
  const [passphrase = ''] = (await readFile(file, 'utf8')).split(/\r?\n/, 1)
  if (passphrase === '') throw new Error(`${file} has no passphrase in its first line`)
  return passphrase
}

/** To whom the options let a backup be encrypted. */
export async function recipientsOf(flags: KeyFlags): Promise<Recipients | undefined> {
  const { 'encrypt-to': recipients, 'passphrase-file': passphraseFile, unencrypted } = flags
  if ([recipients, passphraseFile, unencrypted].filter((given) => given !== undefined).length > 1) {
    throw new UsageError('--encrypt-to, --passphrase-file and --unencrypted: give only one')
  }
  if (recipients) return { recipients }
  return passphraseFile === undefined ? undefined : { passphrase: await readPassphrase(passphraseFile) }
}
