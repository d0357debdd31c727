import { MAX_SOURCE_FILES, SOURCE_ENDINGS } from '@plantroom/contract/conversion-jobs'
import { bytes } from '../../../parts/value.ts'
import { convert } from '../../../texts/convert.ts'
import { format } from '../../../texts/format.ts'
import { suggestName } from '../chosen-file.ts'

const texts = convert.choose
const MOST_BYTES = 5e9

type Named = Pick<File, 'name' | 'size'>

const endsIn = ({ name }: Named, endings: readonly string[]) =>
  endings.some((ending) => name.toLowerCase().endsWith(`.${ending}`))

const tooLarge = ({ name, size }: Named) =>
  size > MOST_BYTES ? format(texts.tooLarge, { name, size: bytes(size) }) : undefined

/** Returns why files cannot be converted, before they are uploaded; undefined when they may be. */
export function flawOfFiles(files: readonly Named[]): string | undefined {
  if (files.length > MAX_SOURCE_FILES) return format(texts.tooMany, { count: MAX_SOURCE_FILES })
  const wrong = files.find((file) => !endsIn(file, SOURCE_ENDINGS))
  if (wrong) return format(texts.badEnding, { name: wrong.name })
  return files.map(tooLarge).find((flaw) => flaw !== undefined)
}

export function flawOfAttachments(file: Named): string | undefined {
  return endsIn(file, ['zip']) ? tooLarge(file) : format(texts.badAttachments, { name: file.name })
}

/** Returns the name of the package that an export becomes. */
export const packageNameOf = (filename: string): string =>
  suggestName(`${filename.replace(/\.[A-Za-z0-9]{1,6}$/, '')}.fpl`) ?? 'package.fpl'

/** Returns the name under which to keep a mapping that has none yet. */
export const mappingNameOf = (filename: string): string => filename.replace(/\.[A-Za-z0-9]{1,6}$/, '').slice(0, 100)
