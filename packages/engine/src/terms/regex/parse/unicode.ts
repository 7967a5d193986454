/** General categories with the long names that Go accepts. */
const CATEGORIES = `
C=Other Cc=Control,cntrl Cf=Format Cn=Unassigned Co=Private_Use Cs=Surrogate L=Letter LC=Cased_Letter Ll=Lowercase_Letter
Lm=Modifier_Letter Lo=Other_Letter Lt=Titlecase_Letter Lu=Uppercase_Letter M=Mark,Combining_Mark Mc=Spacing_Mark
Me=Enclosing_Mark Mn=Nonspacing_Mark N=Number Nd=Decimal_Number,digit Nl=Letter_Number No=Other_Number P=Punctuation,punct
Pc=Connector_Punctuation Pd=Dash_Punctuation Pe=Close_Punctuation Pf=Final_Punctuation Pi=Initial_Punctuation
Po=Other_Punctuation Ps=Open_Punctuation S=Symbol Sc=Currency_Symbol Sk=Modifier_Symbol Sm=Math_Symbol So=Other_Symbol
Z=Separator Zl=Line_Separator Zp=Paragraph_Separator Zs=Space_Separator`

/** The scripts of Unicode 15.0, which is what Go knows. */
const SCRIPTS = `
Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo Brahmi
Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Common Coptic
Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan
Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Han Hangul Hanifi_Rohingya
Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi
Kannada Katakana Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A
Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek
Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari
Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian
Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmyrene
Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting
Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil
Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi
Zanabazar_Square`

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Names are compared without spaces, `_` and `-`, and regardless of the case of ASCII letters. */
const looseName = (name: string): string =>
  name.replaceAll(/[ _-]/g, '').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

let expressions: Map<string, string> | undefined

/** From the loose name to the property in the syntax of JavaScript's `\p{…}`. */
function knownProperties(): Map<string, string> {
  if (expressions) return expressions
  const known = new Map<string, string>()
  for (const script of words(SCRIPTS)) known.set(looseName(script), `Script=${script}`)
  for (const category of words(CATEGORIES)) {
    const [short = '', ...long] = category.split(/[=,]/)
    for (const name of [short, ...long]) known.set(looseName(name), short)
  }
  for (const name of ['Any', 'Assigned', 'ASCII']) known.set(looseName(name), name)
  expressions = known
  return known
}

/**
 * The property that `\p{name}` means, or `undefined`. Go 1.25 and 1.26 refuse scripts of several words (`Old_Italic`), which
 * earlier versions accept and the documentation allows: they are accepted here.
 */
export function findProperty(name: string): string | undefined {
  return knownProperties().get(looseName(name))
}

const MAX_PLANE = 16

/** Planes whose characters have to be tested one by one. Each of the others is unassigned or private as a whole. */
const MIXED_PLANES: readonly number[] = [0, 1, 2, 3, 14]

/** How many characters one call of `String.fromCodePoint` gets. */
const CHUNK = 4096

const rangesByClass = new Map<string, readonly number[]>()

/** The code points with a property found by `findProperty`, as tidy ranges. */
export const propertyRanges = (property: string): readonly number[] => classRanges(`\\p{${property}}`)

/**
 * The code points in a class of JavaScript's syntax, such as `\p{L}\p{Nd}`, as tidy ranges. They come from the JavaScript
 * engine, once, instead of tables that hardly any pattern needs. So a character added after Unicode 15.0 may belong to the
 * class here while it is unassigned to Go.
 */
export function classRanges(members: string): readonly number[] {
  let ranges = rangesByClass.get(members)
  if (!ranges) {
    ranges = findRanges(members)
    rangesByClass.set(members, ranges)
  }
  return ranges
}

function findRanges(members: string): readonly number[] {
  const ranges: number[] = []
  const add = (first: number, last: number): void => {
    if (ranges.at(-1) === first - 1) ranges[ranges.length - 1] = last
    else ranges.push(first, last)
  }
  const addRuns = (first: number, last: number): void => {
    const units = first > 0xffff ? 2 : 1
    for (const { 0: run, index } of allCharacters(first, last).matchAll(new RegExp(`[${members}]+`, 'gu'))) {
      add(first + index / units, first + (index + run.length) / units - 1)
    }
  }
  const one = new RegExp(`[${members}]`, 'u')
  // Low surrogates are tested separately from high ones, because U+DBFF followed by U+DC00 is one character.
  addRuns(0, 0xdbff)
  addRuns(0xdc00, 0xffff)
  for (let plane = 1; plane <= MAX_PLANE; plane++) {
    const start = plane * 0x10000
    if (MIXED_PLANES.includes(plane)) {
      addRuns(start, start + 0xffff)
    } else {
      // The last two code points of every plane are not characters.
      if (one.test(String.fromCodePoint(start))) add(start, start + 0xfffd)
      if (one.test(String.fromCodePoint(start + 0xfffe))) add(start + 0xfffe, start + 0xffff)
    }
  }
  return ranges
}

function allCharacters(first: number, last: number): string {
  const chunks: string[] = []
  for (let start = first; start <= last; start += CHUNK) {
    const length = Math.min(CHUNK, last - start + 1)
    chunks.push(String.fromCodePoint(...Array.from({ length }, (_, i) => start + i)))
  }
  return chunks.join('')
}
