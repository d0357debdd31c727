import { dirname } from 'node:path'
import type { Archiver } from './archivers.ts'
import { SMALL_SITE } from './small-site.ts'
import { buildZip, type EntryParts, extraField } from './zip-builder.ts'

// Programs that don't run here, imitated field by field from descriptions of their output; no original archive was
// available.

const files = [...SMALL_SITE].map(([name, data]) => ({ name, data }))
const folders = [...new Set(files.map(({ name }) => `${dirname(name)}/`))].filter((folder) => folder !== './')
const isAscii = (name: string) => Buffer.byteLength(name) === name.length
const both = (fields: NonNullable<EntryParts['local']>, central: EntryParts['central'] = {}) => ({
  local: fields,
  central: { ...fields, ...central },
})

/** Finder's Compress: sizes after the data, names in decomposed UTF-8 without the UTF-8 flag. */
function macArchiveUtility(): Uint8Array {
  const times = Buffer.alloc(8, 0x5d)
  const owner = Buffer.from([0xf5, 0x01, 0x14, 0x00])
  const ux = {
    local: extraField(0x5855, Buffer.concat([times, owner])),
    central: extraField(0x5855, times),
  }
  const entry = (name: string, data: Uint8Array): EntryParts => ({
    name: name.normalize('NFD'),
    data,
    method: 8,
    descriptor: 'signed',
    local: { flags: 8, extra: ux.local },
    central: { flags: 8, extra: ux.central, versionMadeBy: 0x0315, externalAttributes: 0x81a44000 },
  })
  const folder = (name: string): EntryParts => ({
    name: name.normalize('NFD'),
    local: { versionNeeded: 10, flags: 0, extra: ux.local },
    central: {
      versionNeeded: 10,
      flags: 0,
      extra: ux.central,
      versionMadeBy: 0x0315,
      externalAttributes: 0x41ed4000,
    },
  })
  const resourceFork = (name: string) => entry(`__MACOSX/${name.replace(/([^/]+)$/, '._$1')}`, Buffer.alloc(120, 5))
  return buildZip([
    ...folders.map(folder),
    folder('__MACOSX/'),
    ...files.flatMap(({ name, data }) => [entry(name, data), resourceFork(name)]),
  ])
}

/**
 * Windows Explorer's "Send to > Compressed folder": sizes in the header, FAT attributes, the UTF-8 flag where a name
 * needs it.
 */
function windowsExplorer(): Uint8Array {
  return buildZip(
    files.map(({ name, data }) => {
      const method = data.length === 0 ? 0 : 8
      const fields = { versionNeeded: method === 8 ? 20 : 10, flags: isAscii(name) ? 0 : 0x800 }
      return { name, data, method, ...both(fields, { versionMadeBy: 20, externalAttributes: 0x20 }) }
    }),
  )
}

/** Go's archive/zip with Unix modes: sizes after the data, a UTC time, empty folders without a descriptor. */
function goArchiveZip(): Uint8Array {
  const time = extraField(0x5455, Buffer.from([1, 0, 0xca, 0x9a, 0x3b]))
  const entry = (name: string, data: Uint8Array): EntryParts => ({
    name,
    data,
    method: 8,
    descriptor: 'signed',
    extra: time,
    central: { versionMadeBy: 0x0314, externalAttributes: 0o100644 * 0x10000 },
  })
  const folder = (name: string): EntryParts => ({
    name,
    extra: time,
    central: { versionMadeBy: 0x0314, externalAttributes: 0o40755 * 0x10000 + 0x10 },
  })
  return buildZip([...folders.map(folder), ...files.map(({ name, data }) => entry(name, data))])
}

export const REBUILT_ARCHIVERS: readonly Archiver[] = [
  { name: 'macOS: Archive Utility', archive: () => Buffer.from(macArchiveUtility()) },
  { name: 'Windows: Explorer', archive: () => Buffer.from(windowsExplorer()) },
  { name: 'Go: archive/zip', archive: () => Buffer.from(goArchiveZip()) },
]
