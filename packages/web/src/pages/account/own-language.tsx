import { Button, Select, Stack } from '@mantine/core'
import { LANGUAGES, LOCALES } from '@plantroom/contract/languages'
import type { SignedIn } from '@plantroom/contract/roles'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/use-operation.ts'
import { browserStorage } from '../../browser-storage.ts'
import { ownTimeZone } from '../../own-time-zone.ts'
import { exampleOf, namedLocales } from '../../parts/locale.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { CardSection } from '../../parts/section.tsx'
import { keepForAccount } from '../../texts/choice/kept-choice.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { LOCALE } from '../../texts/language.ts'
import { languageNames, languageChoice as texts } from '../../texts/languages.ts'

/** A select needs a value for the choice of the browser. */
const BROWSER = 'browser'

/** The language of the person, and how they see times and numbers. */
export function OwnLanguage({ signedIn: { user } }: { signedIn: SignedIn }) {
  const [language, setLanguage] = useState<string>(user.language ?? BROWSER)
  const [locale, setLocale] = useState<string>(user.locale ?? BROWSER)
  const save = useChange('changePreferences', {
    onSuccess({ user }) {
      keepForAccount(browserStorage(), user)
      // Texts are read once, when a page starts.
      window.location.reload()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const chosen = {
      language: LANGUAGES.find((each) => each === language) ?? null,
      locale: LOCALES.find((each) => each === locale) ?? null,
    }
    if (!save.isPending) save.mutate({ body: chosen })
  }
  const example = exampleOf(locale === BROWSER ? LOCALE : locale, ownTimeZone())
  return (
    <CardSection id="own-language" title={texts.title} hint={texts.hint}>
      <form onSubmit={submit}>
        <Stack align="flex-start">
          <Select
            label={texts.language}
            data={[
              { value: BROWSER, label: texts.browserLanguage },
              ...LANGUAGES.map((value) => ({ value, label: languageNames[value] })),
            ]}
            value={language}
            onChange={(chosen) => chosen && setLanguage(chosen)}
            allowDeselect={false}
            w="100%"
            maw={360}
          />
          <Select
            label={texts.formats}
            description={format(texts.example, example)}
            data={[{ value: BROWSER, label: texts.browserFormats }, ...namedLocales(LOCALES)]}
            value={locale}
            onChange={(chosen) => chosen && setLocale(chosen)}
            allowDeselect={false}
            searchable
            nothingFoundMessage={common.nothingFound}
            w="100%"
            maw={360}
          />
          {save.error && <ErrorNotice error={save.error} title={texts.failed} />}
          <Button type="submit" loading={save.isPending}>
            {common.save}
          </Button>
        </Stack>
      </form>
    </CardSection>
  )
}
