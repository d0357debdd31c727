import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { request } from '../../texts/requests.ts'
import { shorten } from './long-text.ts'
import classes from './requests.module.css'

/** What somebody wrote, with its lines. Of a long text the beginning, until all of it is wanted. */
export function WrittenText({ children }: { children: string }) {
  const [whole, setWhole] = useState(false)
  const short = shorten(children)
  return (
    <div>
      <Text component="div" className={classes.written}>
        {short && !whole ? `${short.beginning} …` : children}
      </Text>
      {short && (
        <Button
          variant="default"
          size="compact-sm"
          mt="xs"
          aria-expanded={whole}
          onClick={() => setWhole((before) => !before)}
        >
          {whole ? request.showLess : request.showAll(short.hiddenLines)}
        </Button>
      )}
    </div>
  )
}
