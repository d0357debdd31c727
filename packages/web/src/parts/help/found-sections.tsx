import { Mark, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { format } from '../../texts/format.ts'
import { help as texts } from '../../texts/help.ts'
import { TEXT_LOCALE } from '../../texts/language.ts'
import { ErrorNotice, Loading } from '../notices.tsx'
import { isArticle } from './load-article.ts'

/** The sections of the help that answer a question. The text of the pages loads with the first question. */
export function FoundSections({ pages, question }: { pages: string; question: string }) {
  const search = useQuery({
    queryKey: ['help-search', pages],
    queryFn: async () => {
      const { loadSearch } = await import('../../help/search.ts')
      return { find: await loadSearch(pages, TEXT_LOCALE, '') }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (search.error) return <ErrorNotice error={search.error} retry={search.refetch} />
  if (!search.data) return <Loading />
  const found = search.data.find(question)
  return (
    <Stack gap="sm" role="region" aria-label={texts.results}>
      <Text size="sm" c="dimmed" role="status">
        {found.length === 0 ? texts.none : format(texts.found, { count: found.length })}
      </Text>
      {found.map(({ address, title, heading, snippet }) => (
        <div key={address}>
          <a href={address} {...(!isArticle(address) && { target: '_blank', rel: 'noopener' })}>
            {heading === '' ? title : format(texts.section, { title, heading })}
          </a>
          <Text size="sm">
            {snippet.map(({ text, found: isFound }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places
              <Fragment key={place}>{isFound ? <Mark>{text}</Mark> : text}</Fragment>
            ))}
          </Text>
        </div>
      ))}
    </Stack>
  )
}
