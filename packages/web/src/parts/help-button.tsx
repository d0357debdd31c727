import { UnstyledButton } from '@mantine/core'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import { lazy, Suspense, useState } from 'react'
import { navigation } from '../texts/common.ts'
import type { Article } from './help/article-of.ts'

const HelpPanel = lazy(async () => ({ default: (await import('./help/help-panel.tsx')).HelpPanel }))

/** Opens the article about the current page beside it, or a certain article. */
export function HelpButton({ article }: { article?: Article }) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <UnstyledButton
        onClick={() => setOpened(!opened)}
        aria-label={navigation.help}
        aria-expanded={opened}
        p={6}
        lh={0}
      >
        <IconHelp aria-hidden />
      </UnstyledButton>
      <Suspense>{opened && <HelpPanel article={article} onClose={() => setOpened(false)} />}</Suspense>
    </>
  )
}
