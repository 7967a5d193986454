/** Domains where anyone can get an e-mail address, by provider. An organization that connected one could sign in strangers. */
const BY_PROVIDER: Readonly<Record<string, string>> = {
  google: 'gmail.com googlemail.com',
  microsoft: `outlook.com outlook.at outlook.be outlook.cl outlook.co.id outlook.co.il outlook.co.th outlook.com.ar
    outlook.com.au outlook.com.br outlook.com.gr outlook.com.tr outlook.com.vn outlook.cz outlook.de outlook.dk outlook.es
    outlook.fr outlook.hu outlook.ie outlook.in outlook.it outlook.jp outlook.kr outlook.lv outlook.my outlook.ph
    outlook.pt outlook.sa outlook.sg outlook.sk hotmail.com hotmail.be hotmail.ca hotmail.ch hotmail.co.jp hotmail.co.th
    hotmail.co.uk hotmail.com.ar hotmail.com.br hotmail.com.tr hotmail.de hotmail.es hotmail.fr hotmail.it hotmail.nl
    hotmail.no hotmail.se live.com live.at live.be live.ca live.cl live.cn live.co.uk live.co.za live.com.ar live.com.au
    live.com.mx live.com.pt live.de live.dk live.fi live.fr live.ie live.in live.it live.jp live.nl live.no live.ru live.se
    msn.com passport.com windowslive.com`,
  yahoo: `yahoo.com yahoo.at yahoo.be yahoo.bg yahoo.ca yahoo.ch yahoo.cl yahoo.cn yahoo.co.id yahoo.co.il yahoo.co.in
    yahoo.co.jp yahoo.co.kr yahoo.co.nz yahoo.co.th yahoo.co.uk yahoo.co.za yahoo.com.ar yahoo.com.au yahoo.com.br
    yahoo.com.cn yahoo.com.co yahoo.com.hk yahoo.com.mx yahoo.com.my yahoo.com.pe yahoo.com.ph yahoo.com.sg yahoo.com.tr
    yahoo.com.tw yahoo.com.ua yahoo.com.ve yahoo.com.vn yahoo.cz yahoo.de yahoo.dk yahoo.es yahoo.fi yahoo.fr yahoo.gr
    yahoo.hu yahoo.ie yahoo.in yahoo.it yahoo.jp yahoo.nl yahoo.no yahoo.pl yahoo.pt yahoo.ro yahoo.se ymail.com
    rocketmail.com myyahoo.com ybb.ne.jp`,
  aol: 'aol.com aol.co.uk aol.de aol.fr aol.it aim.com love.com netscape.net verizon.net',
  apple: 'icloud.com me.com mac.com privaterelay.appleid.com',
  proton: 'proton.me protonmail.com protonmail.ch pm.me',
  independent: `fastmail.com fastmail.fm hey.com tutanota.com tutanota.de tutamail.com tuta.com tuta.io keemail.me mailfence.com
    posteo.de posteo.net posteo.eu mailbox.org disroot.org riseup.net runbox.com startmail.com hushmail.com hushmail.me
    zoho.com zohomail.com zohomail.eu zohomail.in duck.com mozmail.com simplelogin.com anonaddy.com skiff.com countermail.com
    kolabnow.com lavabit.com thexyz.com`,
  generalMail: `mail.com email.com usa.com europe.com post.com consultant.com engineer.com myself.com dr.com gmx.com gmx.us
    gmx.co.uk inbox.com lycos.com excite.com rediffmail.com bigpond.com iname.com techie.com writeme.com cheerful.com
    accountant.com programmer.net mail2world.com juno.com netzero.net earthlink.net mindspring.com`,
  germany: `gmx.de gmx.net gmx.at gmx.ch gmx.eu gmx.fr web.de freenet.de t-online.de arcor.de email.de online.de vodafonemail.de
    mail.de unitybox.de kabelmail.de`,
  austriaAndSwitzerland: 'aon.at chello.at bluewin.ch hispeed.ch sunrise.ch',
  france:
    'orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr numericable.fr club-internet.fr aliceadsl.fr',
  italy: 'libero.it virgilio.it tiscali.it alice.it tim.it tin.it inwind.it iol.it email.it poste.it fastwebnet.it',
  iberia: 'telefonica.net terra.es ono.com sapo.pt clix.pt iol.pt',
  benelux: 'ziggo.nl kpnmail.nl planet.nl xs4all.nl home.nl hetnet.nl upcmail.nl telenet.be skynet.be scarlet.be pt.lu',
  nordics: 'online.no telia.com telia.se spray.se bredband.net comhem.se tele2.se elisanet.fi kolumbus.fi luukku.com',
  britainAndIreland: `btinternet.com btopenworld.com sky.com virginmedia.com virgin.net blueyonder.co.uk ntlworld.com
    talktalk.net tiscali.co.uk plusnet.com eircom.net`,
  easternEurope: `wp.pl o2.pl onet.pl op.pl interia.pl gazeta.pl tlen.pl seznam.cz email.cz centrum.cz post.cz volny.cz
    azet.sk centrum.sk zoznam.sk freemail.hu citromail.hu abv.bg mail.bg ukr.net i.ua meta.ua bigmir.net inbox.lv
    mail.ee`,
  russia: `mail.ru bk.ru inbox.ru list.ru internet.ru xmail.ru yandex.ru yandex.com yandex.by yandex.kz yandex.ua ya.ru
    rambler.ru lenta.ru autorambler.ru myrambler.ru ro.ru`,
  northAmerica: `comcast.net xfinity.com att.net sbcglobal.net bellsouth.net cox.net charter.net spectrum.net optonline.net
    frontier.com frontiernet.net windstream.net centurylink.net embarqmail.com roadrunner.com suddenlink.net rogers.com
    shaw.ca sympatico.ca bell.net telus.net videotron.ca cogeco.ca`,
  latinAmerica: `uol.com.br bol.com.br terra.com.br ig.com.br globo.com globomail.com oi.com.br zipmail.com.br prodigy.net.mx
    fibertel.com.ar speedy.com.ar arnet.com.ar`,
  china: `qq.com foxmail.com 163.com 126.com yeah.net vip.163.com sina.com sina.cn vip.sina.com sohu.com tom.com 139.com 189.cn
    wo.cn aliyun.com 21cn.com 263.net`,
  asia: `naver.com hanmail.net daum.net nate.com kakao.com docomo.ne.jp ezweb.ne.jp au.com softbank.ne.jp i.softbank.jp
    nifty.com biglobe.ne.jp so-net.ne.jp ocn.ne.jp hinet.net pchome.com.tw netvigator.com singnet.com.sg rediff.com
    sify.com indiatimes.com`,
  pacificAndAfrica: `bigpond.com.au bigpond.net.au optusnet.com.au iinet.net.au xtra.co.nz mweb.co.za telkomsa.net
    vodamail.co.za webmail.co.za`,
  throwAway: `mailinator.com guerrillamail.com guerrillamail.info guerrillamail.net sharklasers.com 10minutemail.com
    temp-mail.org yopmail.com trashmail.com getnada.com maildrop.cc dispostable.com throwawaymail.com mailnesia.com
    fakeinbox.com tempmail.com moakt.com mintemail.com spamgourmet.com`,
}

export const PUBLIC_MAIL_DOMAINS: ReadonlySet<string> = new Set(
  Object.values(BY_PROVIDER).flatMap((domains) => domains.split(/\s+/)),
)
