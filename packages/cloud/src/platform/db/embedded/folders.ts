import { constants, existsSync } from 'node:fs'
import { access, chmod, chown, lchown, lstat, mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keptBinaries, type Layout, layoutOf } from './layout.ts'
import { isNobody, NOBODY, type RunAs } from './run-as.ts'
import { codeOf, messageOf, unavailable } from './unavailable.ts'

/** Creates the folder if it is missing and checks that it can be used. */
export async function openFolder(path: string): Promise<Layout> {
  try {
    // Other users may pass through, as the server must when it runs as `nobody`. Its contents are closed to them.
    await mkdir(path, { recursive: true, mode: 0o711 })
    const folder = await realpath(path)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return layoutOf(folder, await realpath(tmpdir()))
  } catch (error) {
    if (NOT_A_FOLDER.has(codeOf(error) ?? '')) {
      throw unavailable(
        `The database folder ${path} is not a folder: move the file away, or choose another data folder`,
      )
    }
    throw unavailable(
      `The database folder ${path} cannot be written (${messageOf(error)}): give it to the user who runs Plantroom, or choose another data folder`,
    )
  }
}

/**
 * Returns the older major version of the data, if they are of one and its programs were kept; undefined for data of this
 * version, or none. Throws for everything else. Changes nothing.
 */
export async function checkVersion(layout: Layout, majorVersion: string): Promise<string | undefined> {
  const { data } = layout
  const text = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (text === undefined) {
    if ((await entriesOf(data)).length === 0) return undefined
    throw unavailable(`${data} does not contain PostgreSQL data (it has no PG_VERSION): move it away and start again`)
  }
  const version = text.trim()
  if (version === majorVersion) return undefined
  if (Number(version) < Number(majorVersion) && existsSync(join(keptBinaries(layout, version), 'package.json'))) {
    return version
  }
  const problem = `${data} was created by PostgreSQL ${version}, but this Plantroom includes PostgreSQL ${majorVersion}`
  throw unavailable(
    Number(version) < Number(majorVersion)
      ? `${problem} and ${keptBinaries(layout, version)} has no programs of the old version: run the Plantroom that created it for two minutes, which keeps them there, or make a backup with it and restore that`
      : `${problem}: start the Plantroom that created it, or restore a backup from before it`,
  )
}

/** The owner of the data; undefined when there is none yet. Throws for an owner this process cannot run as. */
export async function dataOwner({ data }: Layout): Promise<number | undefined> {
  const owner = (await entriesOf(data)).length > 0 ? (await stat(data)).uid : undefined
  const self = process.getuid?.() ?? 0
  if (owner === undefined || owner === self || (self === 0 && owner === NOBODY)) return owner
  throw unavailable(`${data} belongs to user ${owner} and Plantroom runs as user ${self}: start it as user ${owner}`)
}

/** Gives the server ownership of its folders. Rejects a socket folder that belongs to another user. */
export async function assignFolders(layout: Layout, way: RunAs): Promise<void> {
  await makePrivate(layout.runtime, way)
  await mkdir(layout.libraries, { recursive: true, mode: 0o755 })
  if (!isNobody(way)) return
  await chown(layout.runtime, NOBODY, NOBODY)
  // A folder from a time when the server ran in a user namespace belongs to root.
  if ((await entriesOf(layout.data)).length > 0 && (await stat(layout.data)).uid !== NOBODY) {
    for (const name of await readdir(layout.data, { recursive: true })) {
      await lchown(join(layout.data, name), NOBODY, NOBODY)
    }
    // Changed last: the owner of the top folder marks that everything below is done.
    await chown(layout.data, NOBODY, NOBODY)
  }
}

async function makePrivate(folder: string, way: RunAs): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  // In a shared temporary folder, another user could have created it to own our socket and libraries.
  const found = await lstat(folder)
  const owners = isNobody(way) ? [0, NOBODY] : [process.getuid?.()]
  if (!found.isDirectory() || !owners.includes(found.uid)) {
    throw unavailable(
      `${folder} belongs to another user: remove it, or choose a data folder with a path short enough for a socket`,
    )
  }
  await chmod(folder, 0o700)
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw unavailable(`${folder} cannot be read (${messageOf(error)}): give it to the user who runs Plantroom`)
  }
}

const NOT_A_FOLDER = new Set(['EEXIST', 'ENOTDIR'])
