import type { Target } from '@plantroom/contract/conversion'
import { convert } from '../../../texts/convert.ts'
import { findText } from '../../../texts/format.ts'
import { requestFields } from '../../../texts/request-fields.ts'

const NAMES = { ...requestFields, ...convert.targets } satisfies Readonly<Record<Target, string>>

/** Returns the name of what a column can become. An unknown one, from a newer service, stays as it is. */
export const targetName = (target: string): string => findText(NAMES, target) ?? target
