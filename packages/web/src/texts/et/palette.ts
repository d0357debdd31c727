import type * as english from '../palette.ts'
import type { Translation } from '../translation.ts'

export const palette: Translation<typeof english.palette> = {
  title: 'Otsi või ava',
  placeholder: 'Objekt, silt, kontroller, andmepunkt, #taotlus või leht',
  results: 'Tulemused',
  nothing: 'Midagi ei leitud. Iga sõna peab olema nimes või selle kontrolleri või objekti nimes.',
  hint: 'Nooleklahvid valivad, Enter avab, Escape sulgeb.',
  request: '#{number} {title}',
  kinds: {
    requests: 'Hooldustaotlused',
    actions: 'Toimingud',
    pages: 'Lehed',
    sites: 'Objektid',
    tags: 'Sildid',
    devices: 'Kontrollerid',
    datapoints: 'Andmepunktid',
  },
  actions: {
    releaseAll: 'Vabasta objektil kõik…',
    newRequest: 'Uus hooldustaotlus…',
    shortcuts: 'Kiirklahvid',
  },
}

export const shortcuts: Translation<typeof english.shortcuts> = {
  title: 'Kiirklahvid',
  hint: 'Väljal töötavad ainult Ctrl- või Cmd-klahviga kiirklahvid.',
  letters: 'Kiirklahvid ilma Ctrl- või Cmd-klahvita',
  lettersHint: 'Lülitage need välja, kui klahve vajutab teie eest kõnejuhtimine. See brauser jätab selle meelde.',
  key: 'Klahv',
  does: 'Toiming',
  sequence: '{first}, siis {second}',
  goTo: 'Ava leht „{page}“',
  what: {
    palette: 'Otsi või ava leht',
    help: 'Näita seda loendit',
    next: 'Loendi järgmine rida',
    previous: 'Loendi eelmine rida',
    choose: 'Vali rida või tühista valik',
    close: 'Sulge dialoog või menüü',
  },
}
