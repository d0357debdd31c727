import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useIsPrinting } from '../../parts/printing.ts'
import { format } from '../../texts/format.ts'
import { request } from '../../texts/requests.ts'
import { splitMentions } from './mentions.ts'
import classes from './requests.module.css'

/** A text with its line breaks. A long text is collapsed to its beginning. */
export function WrittenText({
  children,
  mentions = [],
}: {
  children: string
  /** People whose names are marked after an @. */
  mentions?: readonly { name: string }[]
}) {
  const [whole, setWhole] = useState(false)
  const isPrinting = useIsPrinting()
  const short = shorten(children)
  const shown = short && !whole && !isPrinting ? format(request.shortened, { text: short.beginning }) : children
  return (
    <div>
      <Text component="div" className={classes.written}>
        {splitMentions(shown, mentions).map((part, place) =>
          part.mention === undefined ? (
            part.text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places
            <span key={place} className={classes.mention}>
              {part.text}
            </span>
          ),
        )}
      </Text>
      {short && (
        <Button
          variant="default"
          size="compact-sm"
          mt="xs"
          className={classes.screenOnly}
          aria-expanded={whole}
          onClick={() => setWhole((before) => !before)}
        >
          {whole ? request.showLess : describeMore(short)}
        </Button>
      )}
    </div>
  )
}

function describeMore({ hiddenLines }: Shortened): string {
  return hiddenLines > 0 ? format(request.showMoreLines, { count: hiddenLines }) : request.showAll
}

const LINES = 40
/** A text may be one long line. */
const CHARACTERS = 4000

export interface Shortened {
  /** The beginning, in whole lines if possible. */
  beginning: string
  /** 0 when only the last line was cut. */
  hiddenLines: number
}

/** Shortens a long text; `undefined` when it is short enough. */
export function shorten(text: string): Shortened | undefined {
  const lines = text.split('\n')
  if (lines.length <= LINES && text.length <= CHARACTERS) return undefined
  const some = lines.slice(0, LINES).join('\n')
  if (some.length <= CHARACTERS) return { beginning: some, hiddenLines: lines.length - LINES }

  const cut = some.slice(0, CHARACTERS)
  const end = cut.lastIndexOf('\n')
  // Cut within a line that is so long that hardly anything would be left.
  const beginning = end > CHARACTERS / 2 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, '')
  return { beginning, hiddenLines: lines.length - beginning.split('\n').length }
}
