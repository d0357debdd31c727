import { constants } from 'node:fs'
import { access, chmod, chown, lchown, lstat, mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Layout, layoutOf } from './layout.ts'
import { isNobody, NOBODY, type RunAs } from './run-as.ts'
import { codeOf, messageOf, unavailable } from './unavailable.ts'

/** Makes the folder where it is missing, and makes sure that it can be used. */
export async function openFolder(path: string): Promise<Layout> {
  try {
    // Others may pass through, as the server must where it runs as `nobody`; all that lies in it is closed to them.
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

/** Throws when the data was made by another major version, or is not a server's data at all. Changes nothing. */
export async function checkVersion({ data }: Layout, majorVersion: string): Promise<void> {
  const made = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (made === undefined) {
    if ((await entriesOf(data)).length === 0) return
    throw unavailable(
      `${data} is not the data of a PostgreSQL server (it has no PG_VERSION): move it away and start again`,
    )
  }
  if (made.trim() === majorVersion) return
  throw unavailable(
    `${data} was made by PostgreSQL ${made.trim()}, and this Plantroom brings PostgreSQL ${majorVersion}: start the Plantroom that made it, dump the database and load the dump into a new data folder`,
  )
}

/** Whose data it is; undefined where there is none yet. Throws for a user that this process cannot run as. */
export async function dataOwner({ data }: Layout): Promise<number | undefined> {
  const owner = (await entriesOf(data)).length > 0 ? (await stat(data)).uid : undefined
  const self = process.getuid?.() ?? 0
  if (owner === undefined || owner === self || (self === 0 && owner === NOBODY)) return owner
  throw unavailable(`${data} belongs to user ${owner} and Plantroom runs as user ${self}: start it as user ${owner}`)
}

/** Gives the server what it must own. The folder of the socket is either ours alone or refused. */
export async function handOver(layout: Layout, way: RunAs): Promise<void> {
  await makePrivate(layout.runtime, way)
  await mkdir(layout.libraries, { recursive: true, mode: 0o755 })
  if (!isNobody(way)) return
  await chown(layout.runtime, NOBODY, NOBODY)
  // A folder from a time when the server could run in a user namespace is root's.
  if ((await entriesOf(layout.data)).length > 0 && (await stat(layout.data)).uid !== NOBODY) {
    for (const name of await readdir(layout.data, { recursive: true })) {
      await lchown(join(layout.data, name), NOBODY, NOBODY)
    }
    // The owner of the top folder is the mark that all below is done.
    await chown(layout.data, NOBODY, NOBODY)
  }
}

async function makePrivate(folder: string, way: RunAs): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  // In a shared temporary folder anybody could have made it first, and would own our socket and libraries.
  const found = await lstat(folder)
  const owners = isNobody(way) ? [0, NOBODY] : [process.getuid?.()]
  if (!found.isDirectory() || !owners.includes(found.uid)) {
    throw unavailable(
      `${folder} belongs to somebody else: remove it, or choose a data folder with a path short enough for a socket`,
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
