/** General categories with the long names that Go takes for them. */
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

/** Names are compared without blanks, `_` and `-`, and without the case of ASCII letters. */
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
 * all their predecessors take and their documentation allows: they are taken here.
 */
export function findProperty(name: string): string | undefined {
  return knownProperties().get(looseName(name))
}

const MAX_PLANE = 16

/** Planes whose characters have to be asked for. The others are unassigned or private as a whole. */
const MIXED_PLANES: readonly number[] = [0, 1, 2, 3, 14]

/** Characters that are asked for together, because neighbours mostly agree. */
const BLOCK = 64

const rangesByProperty = new Map<string, readonly number[]>()

/**
 * The code points with a property found by `findProperty`, as tidy ranges. They are asked from the JavaScript engine, once,
 * instead of shipping tables that hardly any pattern needs. So a character added after Unicode 15.0 may count here while it
 * is unassigned to Go.
 */
export function propertyRanges(property: string): readonly number[] {
  let ranges = rangesByProperty.get(property)
  if (!ranges) {
    ranges = askRanges(property)
    rangesByProperty.set(property, ranges)
  }
  return ranges
}

function askRanges(property: string): readonly number[] {
  const some = new RegExp(`\\p{${property}}`, 'u')
  const every = new RegExp(`^\\p{${property}}+$`, 'u')
  const ranges: number[] = []
  const add = (first: number, last: number): void => {
    if (ranges.at(-1) === first - 1) ranges[ranges.length - 1] = last
    else ranges.push(first, last)
  }
  const ask = (first: number, length: number, step: number): void => {
    const codes = Array.from({ length: Math.ceil(length / step) }, (_, i) => first + i * step)
    const text = String.fromCodePoint(...codes)
    if (every.test(text)) add(first, first + length - 1)
    else if (some.test(text)) for (const code of codes) if (some.test(String.fromCodePoint(code))) add(code, code)
  }
  for (let plane = 0; plane <= MAX_PLANE; plane++) {
    const start = plane * 0x10000
    if (MIXED_PLANES.includes(plane)) {
      for (let block = 0; block < 0x10000; block += BLOCK) ask(start + block, BLOCK, 1)
    } else {
      // The last two of every plane are no characters.
      ask(start, 0xfffe, 0xfffe)
      ask(start + 0xfffe, 2, 2)
    }
  }
  return ranges
}
