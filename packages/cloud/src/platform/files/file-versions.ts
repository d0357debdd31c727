import type { BigIntStats } from 'node:fs'
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { findVersion, isContentVersion, keepVersion } from './content-version.ts'
import { moveIntoPlace } from './durable-files.ts'
import type { FileStat } from './file-store.ts'
import type { Scratch } from './scratch.ts'
import { type SumOf, versionOfFile } from './sums.ts'

/** What it takes to compute a version that was not kept. */
export interface VersionDeps {
  scratch: Scratch
  sumOf: SumOf
}

/** True when the file at `at` has this version, which was kept beside `path`. */
export async function hasVersion(at: string, version: string, path: string, deps: VersionDeps): Promise<boolean> {
  const file = await openIfThere(at)
  if (!file) return false
  try {
    return (await versionLike(version, file, path, deps)) === version
  } finally {
    await file.close()
  }
}

/** The version of an open file in the form of another one: jobs of earlier releases know the file, not its content. */
export async function versionLike(version: string, file: FileHandle, path: string, deps: VersionDeps): Promise<string> {
  const { version: identity } = identityOf(await file.stat({ bigint: true }))
  return isContentVersion(version) ? contentVersionOf(file, identity, path, deps) : identity
}

/** Reads a package whose version was not kept, for example one of an earlier release. */
async function contentVersionOf(
  file: FileHandle,
  identity: string,
  path: string,
  { scratch, sumOf }: VersionDeps,
): Promise<string> {
  const kept = await findVersion(path, identity)
  if (kept !== undefined) return kept
  const version = await versionOfFile(file, sumOf)
  // A full disk must not keep anyone from reading.
  await keepVersion(path, { identity, version }, scratch).catch(() => {})
  return version
}

export async function statPackage(path: string, deps: VersionDeps): Promise<FileStat | undefined> {
  const file = await openIfThere(path)
  if (!file) return undefined
  try {
    const { size, version: identity } = identityOf(await file.stat({ bigint: true }))
    return { size, version: await contentVersionOf(file, identity, path, deps) }
  } finally {
    await file.close()
  }
}

export async function statOf(path: string): Promise<FileStat | undefined> {
  try {
    return identityOf(await stat(path, { bigint: true }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Inode, time and size identify a file, because nothing is written to a file that has its final name. */
export function identityOf({ ino, mtimeNs, size }: BigIntStats): FileStat {
  return { size: Number(size), version: `${ino}-${mtimeNs}-${size}` }
}

export async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Moves a complete, flushed package into place, with its version. */
export async function publish(
  root: string,
  { temporary, path, version }: { temporary: string; path: string; version: string },
  scratch: Scratch,
): Promise<FileStat> {
  const { size, version: identity } = identityOf(await stat(temporary, { bigint: true }))
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await keepVersion(path, { identity, version }, scratch)
  await moveIntoPlace(root, temporary, path)
  return { size, version }
}
