import type { SourceFile } from '../source.ts'

/**
 * The names of the files of an export. Two requests with a `photo.jpg` each must not get the same file, so a name that is
 * used twice finds no file by itself.
 */
export interface FileNames {
  add(name: string): void
  isUnique(name: string): boolean
}

export function createFileNames(): FileNames {
  const used = new Set<string>()
  const repeated = new Set<string>()
  return {
    add(name) {
      const key = keyOf(name)
      if (used.has(key)) repeated.add(key)
      else used.add(key)
    },
    isUnique: (name) => !repeated.has(keyOf(name)),
  }
}

/** Describes a file of an export. `paths`: where it may be beside the export, the best first. */
export function sourceFile(
  file: { readonly name: string; readonly contentType?: string | undefined },
  paths: readonly (string | undefined)[],
  names: FileNames,
): SourceFile {
  const candidates = [...paths, names.isUnique(file.name) ? file.name : undefined]
  const safe = candidates.filter((path) => path !== undefined).filter(isSafe)
  return { name: file.name, contentType: file.contentType, paths: [...new Set(safe)] }
}

/** The path of an address on the web, without the server. */
export function urlPath(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  try {
    return decodeURIComponent(new URL(url).pathname).replace(/^\/+/, '')
  } catch {
    return undefined
  }
}

// An export may be hostile: a path must not lead out of the folder beside it.
function isSafe(path: string): boolean {
  return path !== '' && !/^\/|\\|\0|(^|\/)\.\.?(\/|$)|\/\/|\/$/.test(path)
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
