//#region node_modules/uplot/dist/uPlot.min.css?inline
var e = !0, t = "uplot", n = "u-hz", r = "u-vt", i = "u-title", a = "u-wrap", o = "u-under", s = "u-over", c = "u-axis", l = "u-off", u = "u-select", d = "u-cursor-x", f = "u-cursor-y", p = "u-cursor-pt", m = "u-legend", h = "u-live", g = "u-inline", _ = "u-series", v = "u-marker", y = "u-label", b = "u-value", x = "width", S = "height", C = "top", w = "bottom", T = "left", E = "right", D = "#000", ee = "#0000", te = "mousemove", ne = "mousedown", re = "mouseup", ie = "mouseenter", ae = "mouseleave", oe = "dblclick", se = "resize", O = "scroll", k = "change", ce = "dppxchange", le = "--", A = typeof window < "u", ue = A ? document : null, de = A ? window : null, fe = A ? navigator : null, j, pe;
function me() {
	let e = devicePixelRatio;
	j != e && (j = e, pe && De(k, pe, me), pe = matchMedia(`(min-resolution: ${j - .001}dppx) and (max-resolution: ${j + .001}dppx)`), Ee(k, pe, me), de.dispatchEvent(new CustomEvent(ce)));
}
function he(e, t) {
	if (t != null) {
		let n = e.classList;
		!n.contains(t) && n.add(t);
	}
}
function ge(e, t) {
	let n = e.classList;
	n.contains(t) && n.remove(t);
}
function M(e, t, n) {
	e.style[t] = n + "px";
}
function _e(e, t, n, r) {
	let i = ue.createElement(e);
	return t != null && he(i, t), n?.insertBefore(i, r), i;
}
function ve(e, t) {
	return _e("div", e, t);
}
var ye = /* @__PURE__ */ new WeakMap();
function be(e, t, n, r, i) {
	let a = "translate(" + t + "px," + n + "px)";
	a != ye.get(e) && (e.style.transform = a, ye.set(e, a), t < 0 || n < 0 || t > r || n > i ? he(e, l) : ge(e, l));
}
var xe = /* @__PURE__ */ new WeakMap();
function Se(e, t, n) {
	let r = t + n;
	r != xe.get(e) && (xe.set(e, r), e.style.background = t, e.style.borderColor = n);
}
var N = /* @__PURE__ */ new WeakMap();
function Ce(e, t, n, r) {
	let i = t + "" + n;
	i != N.get(e) && (N.set(e, i), e.style.height = n + "px", e.style.width = t + "px", e.style.marginLeft = r ? -t / 2 + "px" : 0, e.style.marginTop = r ? -n / 2 + "px" : 0);
}
var we = { passive: !0 }, Te = {
	...we,
	capture: !0
};
function Ee(e, t, n, r) {
	t.addEventListener(e, n, r ? Te : we);
}
function De(e, t, n, r) {
	t.removeEventListener(e, n, we);
}
A && me();
function Oe(e, t, n, r) {
	let i;
	n ||= 0, r ||= t.length - 1;
	let a = r <= 2147483647;
	for (; r - n > 1;) i = a ? n + r >> 1 : Ke((n + r) / 2), t[i] < e ? n = i : r = i;
	return e - t[n] <= t[r] - e ? n : r;
}
function ke(e) {
	return (t, n, r) => {
		let i = -1, a = -1;
		for (let a = n; a <= r; a++) if (e(t[a])) {
			i = a;
			break;
		}
		for (let i = r; i >= n; i--) if (e(t[i])) {
			a = i;
			break;
		}
		return [i, a];
	};
}
var Ae = (e) => e != null, je = (e) => e != null && e > 0, Me = ke(Ae), P = ke(je);
function Ne(e, t, n, r = 0, i = !1) {
	let a = i ? P : Me, o = i ? je : Ae;
	[t, n] = a(e, t, n);
	let s = e[t], c = e[t];
	if (t > -1) {
		if (r == 1) s = e[t], c = e[n];
		else if (r == -1) s = e[n], c = e[t];
		else for (let r = t; r <= n; r++) {
			let t = e[r];
			o(t) && (t < s ? s = t : t > c && (c = t));
		}
	}
	return [s ?? nt, c ?? -nt];
}
function Pe(e, t, n, r) {
	let i = Qe(e), a = Qe(t);
	e == t && (i == -1 ? (e *= n, t /= n) : (e /= n, t *= n));
	let o = n == 10 ? $e : R, s = i == 1 ? Ke : Je, c = a == 1 ? Je : Ke, l = s(o(Ge(e))), u = c(o(Ge(t))), d = Ze(n, l), f = Ze(n, u);
	return n == 10 && (l < 0 && (d = B(d, -l)), u < 0 && (f = B(f, -u))), r || n == 2 ? (e = d * i, t = f * a) : (e = gt(e, d), t = ht(t, f)), [e, t];
}
function Fe(e, t, n, r) {
	let i = Pe(e, t, n, r);
	return e == 0 && (i[0] = 0), t == 0 && (i[1] = 0), i;
}
var Ie = .1, Le = {
	mode: 3,
	pad: Ie
}, Re = {
	pad: 0,
	soft: null,
	mode: 0
}, F = {
	min: Re,
	max: Re
};
function ze(e, t, n, r) {
	return Dt(n) ? Ve(e, t, n) : (Re.pad = n, Re.soft = r ? 0 : null, Re.mode = r ? 3 : 0, Ve(e, t, F));
}
function I(e, t) {
	return e ?? t;
}
function Be(e, t, n) {
	for (t = I(t, 0), n = I(n, e.length - 1); t <= n;) {
		if (e[t] != null) return !0;
		t++;
	}
	return !1;
}
function Ve(e, t, n) {
	let r = n.min, i = n.max, a = I(r.pad, 0), o = I(i.pad, 0), s = I(r.hard, -nt), c = I(i.hard, nt), l = I(r.soft, nt), u = I(i.soft, -nt), d = I(r.mode, 0), f = I(i.mode, 0), p = t - e, m = $e(p), h = Xe(Ge(e), Ge(t)), g = Ge($e(h) - m);
	(p < 1e-24 || g > 10) && (p = 0, (e == 0 || t == 0) && (p = 1e-24, d == 2 && l != nt && (a = 0), f == 2 && u != -nt && (o = 0)));
	let _ = p || h || 1e3, v = Ze(10, Ke($e(_))), y = B(gt(e - _ * (p == 0 ? e == 0 ? .1 : 1 : a), v / 10), 24), b = e >= l && (d == 1 || d == 3 && y <= l || d == 2 && y >= l) ? l : nt, x = Xe(s, y < b && e >= b ? b : Ye(b, y)), S = B(ht(t + _ * (p == 0 ? t == 0 ? .1 : 1 : o), v / 10), 24), C = t <= u && (f == 1 || f == 3 && S >= u || f == 2 && S <= u) ? u : -nt, w = Ye(c, S > C && t <= C ? C : Xe(C, S));
	return x == w && x == 0 && (w = 100), [x, w];
}
var L = new Intl.NumberFormat(A ? fe.language : "en-US"), He = (e) => L.format(e), Ue = Math, We = Ue.PI, Ge = Ue.abs, Ke = Ue.floor, qe = Ue.round, Je = Ue.ceil, Ye = Ue.min, Xe = Ue.max, Ze = Ue.pow, Qe = Ue.sign, $e = Ue.log10, R = Ue.log2, et = (e, t = 1) => Ue.sinh(e) * t, tt = (e, t = 1) => Ue.asinh(e / t), nt = Infinity;
function rt(e) {
	return ($e((e ^ e >> 31) - (e >> 31)) | 0) + 1;
}
function it(e, t, n) {
	return Ye(Xe(e, t), n);
}
function at(e) {
	return typeof e == "function";
}
function z(e) {
	return at(e) ? e : () => e;
}
var ot = () => {}, st = (e) => e, ct = (e, t) => t, lt = (e) => null, ut = (e) => !0, dt = (e, t) => e == t, ft = /\.\d*?(?=9{6,}|0{6,})/gm, pt = (e) => {
	if (wt(e) || _t.has(e)) return e;
	let t = `${e}`, n = t.match(ft);
	if (n == null) return e;
	let r = n[0].length - 1;
	if (t.indexOf("e-") != -1) {
		let [e, n] = t.split("e");
		return +`${pt(e)}e${n}`;
	}
	return B(e, r);
};
function mt(e, t) {
	return pt(B(pt(e / t)) * t);
}
function ht(e, t) {
	return pt(Je(pt(e / t)) * t);
}
function gt(e, t) {
	return pt(Ke(pt(e / t)) * t);
}
function B(e, t = 0) {
	if (wt(e)) return e;
	let n = 10 ** t;
	return qe(e * n * (1 + 2 ** -52)) / n;
}
var _t = /* @__PURE__ */ new Map();
function vt(e) {
	return (("" + e).split(".")[1] || "").length;
}
function yt(e, t, n, r) {
	let i = [], a = r.map(vt);
	for (let o = t; o < n; o++) {
		let t = Ge(o), n = B(Ze(e, o), t);
		for (let s = 0; s < r.length; s++) {
			let c = e == 10 ? +`${r[s]}e${o}` : r[s] * n, l = (o >= 0 ? 0 : t) + (o >= a[s] ? 0 : a[s]), u = e == 10 ? c : B(c, l);
			i.push(u), _t.set(u, l);
		}
	}
	return i;
}
var bt = {}, xt = [], St = [null, null], Ct = Array.isArray, wt = Number.isInteger, Tt = (e) => e === void 0;
function Et(e) {
	return typeof e == "string";
}
function Dt(e) {
	let t = !1;
	if (e != null) {
		let n = e.constructor;
		t = n == null || n == Object;
	}
	return t;
}
function Ot(e) {
	return typeof e == "object" && !!e;
}
var kt = Object.getPrototypeOf(Uint8Array), At = "__proto__";
function jt(e, t = Dt) {
	let n;
	if (Ct(e)) {
		let r = e.find((e) => e != null);
		if (Ct(r) || t(r)) {
			n = Array(e.length);
			for (let r = 0; r < e.length; r++) n[r] = jt(e[r], t);
		} else n = e.slice();
	} else if (e instanceof kt) n = e.slice();
	else if (t(e)) {
		n = {};
		for (let r in e) r != At && (n[r] = jt(e[r], t));
	} else n = e;
	return n;
}
function Mt(e) {
	let t = arguments;
	for (let n = 1; n < t.length; n++) {
		let r = t[n];
		for (let t in r) t != At && (Dt(e[t]) ? Mt(e[t], jt(r[t])) : e[t] = jt(r[t]));
	}
	return e;
}
var V = 0, Nt = 1, Pt = 2;
function Ft(e, t, n) {
	for (let r = 0, i, a = -1; r < t.length; r++) {
		let o = t[r];
		if (o > a) {
			for (i = o - 1; i >= 0 && e[i] == null;) e[i--] = null;
			for (i = o + 1; i < n && e[i] == null;) e[a = i++] = null;
		}
	}
}
function It(e, t) {
	if (zt(e)) {
		let t = e[0].slice();
		for (let n = 1; n < e.length; n++) t.push(...e[n].slice(1));
		return Bt(t[0]) || (t = Rt(t)), t;
	}
	let n = /* @__PURE__ */ new Set();
	for (let t = 0; t < e.length; t++) {
		let r = e[t][0], i = r.length;
		for (let e = 0; e < i; e++) n.add(r[e]);
	}
	let r = [Array.from(n).sort((e, t) => e - t)], i = r[0].length, a = /* @__PURE__ */ new Map();
	for (let e = 0; e < i; e++) a.set(r[0][e], e);
	for (let n = 0; n < e.length; n++) {
		let o = e[n], s = o[0];
		for (let e = 1; e < o.length; e++) {
			let c = o[e], l = Array(i).fill(void 0), u = t ? t[n][e] : Nt, d = [];
			for (let e = 0; e < c.length; e++) {
				let t = c[e], n = a.get(s[e]);
				t === null ? u != V && (l[n] = t, u == Pt && d.push(n)) : l[n] = t;
			}
			Ft(l, d, i), r.push(l);
		}
	}
	return r;
}
var Lt = typeof queueMicrotask > "u" ? (e) => Promise.resolve().then(e) : queueMicrotask;
function Rt(e) {
	let t = e[0], n = t.length, r = Array(n);
	for (let e = 0; e < r.length; e++) r[e] = e;
	r.sort((e, n) => t[e] - t[n]);
	let i = [];
	for (let t = 0; t < e.length; t++) {
		let a = e[t], o = Array(n);
		for (let e = 0; e < n; e++) o[e] = a[r[e]];
		i.push(o);
	}
	return i;
}
function zt(e) {
	let t = e[0][0], n = t.length;
	for (let r = 1; r < e.length; r++) {
		let i = e[r][0];
		if (i.length != n) return !1;
		if (i != t) {
			for (let e = 0; e < n; e++) if (i[e] != t[e]) return !1;
		}
	}
	return !0;
}
function Bt(e, t = 100) {
	let n = e.length;
	if (n <= 1) return !0;
	let r = 0, i = n - 1;
	for (; r <= i && e[r] == null;) r++;
	for (; i >= r && e[i] == null;) i--;
	if (i <= r) return !0;
	let a = Xe(1, Ke((i - r + 1) / t));
	for (let t = e[r], n = r + a; n <= i; n += a) {
		let r = e[n];
		if (r != null) {
			if (r <= t) return !1;
			t = r;
		}
	}
	return !0;
}
var Vt = [
	"January",
	"February",
	"March",
	"April",
	"May",
	"June",
	"July",
	"August",
	"September",
	"October",
	"November",
	"December"
], Ht = [
	"Sunday",
	"Monday",
	"Tuesday",
	"Wednesday",
	"Thursday",
	"Friday",
	"Saturday"
];
function Ut(e) {
	return e.slice(0, 3);
}
var Wt = Ht.map(Ut), Gt = {
	MMMM: Vt,
	MMM: Vt.map(Ut),
	WWWW: Ht,
	WWW: Wt
};
function Kt(e) {
	return (e < 10 ? "0" : "") + e;
}
function qt(e) {
	return (e < 10 ? "00" : e < 100 ? "0" : "") + e;
}
var Jt = {
	YYYY: (e) => e.getFullYear(),
	YY: (e) => (e.getFullYear() + "").slice(2),
	MMMM: (e, t) => t.MMMM[e.getMonth()],
	MMM: (e, t) => t.MMM[e.getMonth()],
	MM: (e) => Kt(e.getMonth() + 1),
	M: (e) => e.getMonth() + 1,
	DD: (e) => Kt(e.getDate()),
	D: (e) => e.getDate(),
	WWWW: (e, t) => t.WWWW[e.getDay()],
	WWW: (e, t) => t.WWW[e.getDay()],
	HH: (e) => Kt(e.getHours()),
	H: (e) => e.getHours(),
	h: (e) => {
		let t = e.getHours();
		return t == 0 ? 12 : t > 12 ? t - 12 : t;
	},
	AA: (e) => e.getHours() >= 12 ? "PM" : "AM",
	aa: (e) => e.getHours() >= 12 ? "pm" : "am",
	a: (e) => e.getHours() >= 12 ? "p" : "a",
	mm: (e) => Kt(e.getMinutes()),
	m: (e) => e.getMinutes(),
	ss: (e) => Kt(e.getSeconds()),
	s: (e) => e.getSeconds(),
	fff: (e) => qt(e.getMilliseconds())
};
function Yt(e, t) {
	t ||= Gt;
	let n = [], r = /\{([a-z]+)\}|[^{]+/gi, i;
	for (; i = r.exec(e);) n.push(i[0][0] == "{" ? Jt[i[1]] : i[0]);
	return (e) => {
		let r = "";
		for (let i = 0; i < n.length; i++) r += typeof n[i] == "string" ? n[i] : n[i](e, t);
		return r;
	};
}
var Xt = new Intl.DateTimeFormat().resolvedOptions().timeZone;
function Zt(e, t) {
	let n;
	return t == "UTC" || t == "Etc/UTC" ? n = /* @__PURE__ */ new Date(+e + e.getTimezoneOffset() * 6e4) : t == Xt ? n = e : (n = new Date(e.toLocaleString("en-US", { timeZone: t })), n.setMilliseconds(e.getMilliseconds())), n;
}
var Qt = (e) => e % 1 == 0, $t = [
	1,
	2,
	2.5,
	5
], en = yt(10, -32, 0, $t), H = yt(10, 0, 32, $t), tn = H.filter(Qt), nn = en.concat(H), U = "\n", rn = "{YYYY}", an = U + rn, on = "{M}/{D}", sn = U + on, cn = sn + "/{YY}", ln = "{aa}", un = "{h}:{mm}" + ln, dn = U + un, fn = ":{ss}", W = null;
function pn(e) {
	let t = e * 1e3, n = t * 60, r = n * 60, i = r * 24, a = i * 30, o = i * 365, s = (e == 1 ? yt(10, 0, 3, $t).filter(Qt) : yt(10, -3, 0, $t)).concat([
		t,
		t * 5,
		t * 10,
		t * 15,
		t * 30,
		n,
		n * 5,
		n * 10,
		n * 15,
		n * 30,
		r,
		r * 2,
		r * 3,
		r * 4,
		r * 6,
		r * 8,
		r * 12,
		i,
		i * 2,
		i * 3,
		i * 4,
		i * 5,
		i * 6,
		i * 7,
		i * 8,
		i * 9,
		i * 10,
		i * 15,
		a,
		a * 2,
		a * 3,
		a * 4,
		a * 6,
		o,
		o * 2,
		o * 5,
		o * 10,
		o * 25,
		o * 50,
		o * 100
	]), c = [
		[
			o,
			rn,
			W,
			W,
			W,
			W,
			W,
			W,
			1
		],
		[
			i * 28,
			"{MMM}",
			an,
			W,
			W,
			W,
			W,
			W,
			1
		],
		[
			i,
			on,
			an,
			W,
			W,
			W,
			W,
			W,
			1
		],
		[
			r,
			"{h}" + ln,
			cn,
			W,
			sn,
			W,
			W,
			W,
			1
		],
		[
			n,
			un,
			cn,
			W,
			sn,
			W,
			W,
			W,
			1
		],
		[
			t,
			fn,
			cn + " " + un,
			W,
			sn + " " + un,
			W,
			dn,
			W,
			1
		],
		[
			e,
			fn + ".{fff}",
			cn + " " + un,
			W,
			sn + " " + un,
			W,
			dn,
			W,
			1
		]
	];
	function l(t) {
		return (s, c, l, u, d, f) => {
			let p = [], m = d >= o, h = d >= a && d < o, g = t(l), _ = B(g * e, 3), v = Cn(g.getFullYear(), m ? 0 : g.getMonth(), h || m ? 1 : g.getDate()), y = B(v * e, 3);
			if (h || m) {
				let n = h ? d / a : 0, r = m ? d / o : 0, i = _ == y ? _ : B(Cn(v.getFullYear() + r, v.getMonth() + n, 1) * e, 3), s = new Date(qe(i / e)), c = s.getFullYear(), l = s.getMonth();
				for (let a = 0; i <= u; a++) {
					let o = Cn(c + r * a, l + n * a, 1), s = o - t(B(o * e, 3));
					i = B((+o + s) * e, 3), i <= u && p.push(i);
				}
			} else {
				let a = d >= i ? i : d, o = y + (Ke(l) - Ke(_)) + ht(_ - y, a);
				p.push(o);
				let m = t(o), h = m.getHours() + m.getMinutes() / n + m.getSeconds() / r, g = d / r, v = f / s.axes[c]._space;
				for (; o = B(o + d, e == 1 ? 0 : 3), !(o > u);) if (g > 1) {
					let e = Ke(B(h + g, 6)) % 24, n = t(o).getHours() - e;
					n > 1 && (n = -1), o -= n * r, h = (h + g) % 24;
					let i = p[p.length - 1];
					B((o - i) / d, 3) * v >= .7 && p.push(o);
				} else p.push(o);
			}
			return p;
		};
	}
	return [
		s,
		c,
		l
	];
}
var [mn, hn, gn] = pn(1), [_n, vn, yn] = pn(.001);
yt(2, -53, 53, [1]);
function bn(e, t) {
	return e.map((e) => e.map((n, r) => r == 0 || r == 8 || n == null ? n : t(r == 1 || e[8] == 0 ? n : e[1] + n)));
}
function xn(e, t) {
	return (n, r, i, a, o) => {
		let s = t.find((e) => o >= e[0]) || t[t.length - 1], c, l, u, d, f, p;
		return r.map((t) => {
			let n = e(t), r = n.getFullYear(), i = n.getMonth(), a = n.getDate(), o = n.getHours(), m = n.getMinutes(), h = n.getSeconds(), g = r != c && s[2] || i != l && s[3] || a != u && s[4] || o != d && s[5] || m != f && s[6] || h != p && s[7] || s[1];
			return c = r, l = i, u = a, d = o, f = m, p = h, g(n);
		});
	};
}
function Sn(e, t) {
	let n = Yt(t);
	return (t, r, i, a, o) => r.map((t) => n(e(t)));
}
function Cn(e, t, n) {
	return new Date(e, t, n);
}
function wn(e, t) {
	return t(e);
}
var Tn = "{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function En(e, t) {
	return (n, r, i, a) => a == null ? le : t(e(r));
}
function Dn(e, t) {
	let n = e.series[t];
	return n.width ? n.stroke(e, t) : n.points.width ? n.points.stroke(e, t) : null;
}
function On(e, t) {
	return e.series[t].fill(e, t);
}
var kn = {
	show: !0,
	live: !0,
	isolate: !1,
	mount: ot,
	markers: {
		show: !0,
		width: 2,
		stroke: Dn,
		fill: On,
		dash: "solid"
	},
	idx: null,
	idxs: null,
	values: []
};
function An(e, t) {
	let n = e.cursor.points, r = ve(), i = n.size(e, t);
	M(r, x, i), M(r, S, i);
	let a = i / -2;
	M(r, "marginLeft", a), M(r, "marginTop", a);
	let o = n.width(e, t, i);
	return o && M(r, "borderWidth", o), r;
}
function jn(e, t) {
	let n = e.series[t].points;
	return n._fill || n._stroke;
}
function Mn(e, t) {
	let n = e.series[t].points;
	return n._stroke || n._fill;
}
function Nn(e, t) {
	return e.series[t].points.size;
}
var Pn = [0, 0];
function Fn(e, t, n) {
	return Pn[0] = t, Pn[1] = n, Pn;
}
function In(e, t, n, r = !0) {
	return (e) => {
		e.button == 0 && (!r || e.target == t) && n(e);
	};
}
function Ln(e, t, n, r = !0) {
	return (e) => {
		(!r || e.target == t) && n(e);
	};
}
var Rn = {
	show: !0,
	x: !0,
	y: !0,
	lock: !1,
	move: Fn,
	points: {
		one: !1,
		show: An,
		size: Nn,
		width: 0,
		stroke: Mn,
		fill: jn
	},
	bind: {
		mousedown: In,
		mouseup: In,
		click: In,
		dblclick: In,
		mousemove: Ln,
		mouseleave: Ln,
		mouseenter: Ln
	},
	drag: {
		setScale: !0,
		x: !0,
		y: !1,
		dist: 0,
		uni: null,
		click: (e, t) => {
			t.stopPropagation(), t.stopImmediatePropagation();
		},
		_x: !1,
		_y: !1
	},
	focus: {
		dist: (e, t, n, r, i) => r - i,
		prox: -1,
		bias: 0
	},
	hover: {
		skip: [void 0],
		prox: null,
		bias: 0
	},
	left: -10,
	top: -10,
	idx: null,
	dataIdx: null,
	idxs: null,
	event: null
}, zn = {
	show: !0,
	stroke: "rgba(0,0,0,0.07)",
	width: 2
}, Bn = Mt({}, zn, { filter: ct }), Vn = Mt({}, Bn, { size: 10 }), Hn = Mt({}, zn, { show: !1 }), Un = "12px system-ui, -apple-system, \"Segoe UI\", Roboto, \"Helvetica Neue\", Arial, \"Noto Sans\", sans-serif, \"Apple Color Emoji\", \"Segoe UI Emoji\", \"Segoe UI Symbol\", \"Noto Color Emoji\"", Wn = "bold " + Un, Gn = 1.5, Kn = {
	show: !0,
	scale: "x",
	stroke: D,
	space: 50,
	gap: 5,
	alignTo: 1,
	size: 50,
	labelGap: 0,
	labelSize: 30,
	labelFont: Wn,
	side: 2,
	grid: Bn,
	ticks: Vn,
	border: Hn,
	font: Un,
	lineGap: Gn,
	rotate: 0
}, qn = "Value", Jn = "Time", Yn = {
	show: !0,
	scale: "x",
	auto: !1,
	sorted: 1,
	min: nt,
	max: -Infinity,
	idxs: []
};
function Xn(e, t, n, r, i) {
	return t.map((e) => e == null ? "" : He(e));
}
function Zn(e, t, n, r, i, a, o) {
	let s = [], c = _t.get(i) || 0;
	n = o ? n : B(ht(n, i), c);
	for (let e = n; e <= r; e = B(e + i, c)) s.push(Object.is(e, -0) ? 0 : e);
	return s;
}
function Qn(e, t, n, r, i, a, o) {
	let s = [], c = e.scales[e.axes[t].scale].log;
	i = Ze(c, Ke((c == 10 ? $e : R)(n))), c == 10 && (i = nn[Oe(i, nn)]);
	let l = n, u = i * c;
	c == 10 && (u = nn[Oe(u, nn)]);
	do
		s.push(l), l += i, c == 10 && !_t.has(l) && (l = B(l, _t.get(i))), l >= u && (i = l, u = i * c, c == 10 && (u = nn[Oe(u, nn)]));
	while (l <= r);
	return s;
}
function $n(e, t, n, r, i, a, o) {
	let s = e.scales[e.axes[t].scale].asinh, c = r > s ? Qn(e, t, Xe(s, n), r, i) : [s], l = r >= 0 && n <= 0 ? [0] : [];
	return (n < -s ? Qn(e, t, Xe(s, -r), -n, i) : [s]).reverse().map((e) => -e).concat(l, c);
}
var er = /./, tr = /[12357]/, nr = /[125]/, rr = /1/, ir = (e, t, n, r) => e.map((e, i) => t == 4 && e == 0 || i % r == 0 && n.test(e.toExponential()[+(e < 0)]) ? e : null);
function ar(e, t, n, r, i) {
	let a = e.axes[n], o = a.scale, s = e.scales[o], c = e.valToPos, l = a._space, u = c(10, o), d = c(9, o) - u >= l ? er : c(7, o) - u >= l ? tr : c(5, o) - u >= l ? nr : rr;
	if (d == rr) {
		let e = Ge(c(1, o) - u);
		if (e < l) return ir(t.slice().reverse(), s.distr, d, Je(l / e)).reverse();
	}
	return ir(t, s.distr, d, 1);
}
function or(e, t, n, r, i) {
	let a = e.axes[n], o = a.scale, s = a._space, c = e.valToPos, l = Ge(c(1, o) - c(2, o));
	return l < s ? ir(t.slice().reverse(), 3, er, Je(s / l)).reverse() : t;
}
function sr(e, t, n, r) {
	return r == null ? le : t == null ? "" : He(t);
}
var cr = {
	show: !0,
	scale: "y",
	stroke: D,
	space: 30,
	gap: 5,
	alignTo: 1,
	size: 50,
	labelGap: 0,
	labelSize: 30,
	labelFont: Wn,
	side: 3,
	grid: Bn,
	ticks: Vn,
	border: Hn,
	font: Un,
	lineGap: Gn,
	rotate: 0
};
function lr(e, t) {
	return B((3 + (e || 1) * 2) * t, 3);
}
function ur(e, t) {
	let { scale: n, idxs: r } = e.series[0], i = e._data[0], a = e.valToPos(i[r[0]], n, !0), o = Ge(e.valToPos(i[r[1]], n, !0) - a) / (e.series[t].points.space * j);
	return r[1] - r[0] <= o;
}
var dr = {
	scale: null,
	auto: !0,
	sorted: 0,
	min: nt,
	max: -Infinity
}, fr = (e, t, n, r, i) => i, pr = {
	show: !0,
	auto: !0,
	sorted: 0,
	gaps: fr,
	alpha: 1,
	facets: [Mt({}, dr, { scale: "x" }), Mt({}, dr, { scale: "y" })]
}, mr = {
	scale: "y",
	auto: !0,
	sorted: 0,
	show: !0,
	spanGaps: !1,
	gaps: fr,
	alpha: 1,
	points: {
		show: ur,
		filter: null
	},
	values: null,
	min: nt,
	max: -Infinity,
	idxs: [],
	path: null,
	clip: null
};
function hr(e, t, n, r, i) {
	return n / 10;
}
var gr = {
	time: e,
	auto: !0,
	distr: 1,
	log: 10,
	asinh: 1,
	min: null,
	max: null,
	dir: 1,
	ori: 0
}, _r = Mt({}, gr, {
	time: !1,
	ori: 1
}), vr = {};
function yr(e, t) {
	let n = vr[e];
	return n || (n = {
		key: e,
		plots: [],
		sub(e) {
			n.plots.push(e);
		},
		unsub(e) {
			n.plots = n.plots.filter((t) => t != e);
		},
		pub(e, t, r, i, a, o, s) {
			for (let c = 0; c < n.plots.length; c++) n.plots[c] != t && n.plots[c].pub(e, t, r, i, a, o, s);
		}
	}, e != null && (vr[e] = n)), n;
}
var br = 1, xr = 2;
function Sr(e, t, n) {
	let r = e.mode, i = e.series[t], a = r == 2 ? e._data[t] : e._data, o = e.scales, s = e.bbox, c = a[0], l = r == 2 ? a[1] : a[t], u = r == 2 ? o[i.facets[0].scale] : o[e.series[0].scale], d = r == 2 ? o[i.facets[1].scale] : o[i.scale], f = s.left, p = s.top, m = s.width, h = s.height, g = e.valToPosH, _ = e.valToPosV;
	return u.ori == 0 ? n(i, c, l, u, d, g, _, f, p, m, h, Ar, Mr, Pr, Ir, Rr) : n(i, c, l, u, d, _, g, p, f, h, m, jr, Nr, Fr, Lr, zr);
}
function Cr(e, t) {
	let n = 0, r = 0, i = I(e.bands, xt);
	for (let e = 0; e < i.length; e++) {
		let a = i[e];
		a.series[0] == t ? n = a.dir : a.series[1] == t && (a.dir == 1 ? r |= 1 : r |= 2);
	}
	return [n, r == 1 ? -1 : r == 2 ? 1 : r == 3 ? 2 : 0];
}
function wr(e, t, n, r, i) {
	let a = e.mode, o = e.series[t], s = a == 2 ? o.facets[1].scale : o.scale, c = e.scales[s];
	return i == -1 ? c.min : i == 1 ? c.max : c.distr == 3 ? c.dir == 1 ? c.min : c.max : 0;
}
function G(e, t, n, r, i, a) {
	return Sr(e, t, (e, t, o, s, c, l, u, d, f, p, m) => {
		let h = e.pxRound, g = s.dir * (s.ori == 0 ? 1 : -1), _ = s.ori == 0 ? Mr : Nr, v, y;
		g == 1 ? (v = n, y = r) : (v = r, y = n);
		let b = h(l(t[v], s, p, d)), x = h(u(o[v], c, m, f)), S = h(l(t[y], s, p, d)), C = h(u(a == 1 ? c.max : c.min, c, m, f)), w = new Path2D(i);
		return _(w, S, C), _(w, b, C), _(w, b, x), w;
	});
}
function Tr(e, t, n, r, i, a) {
	let o = null;
	if (e.length > 0) {
		o = new Path2D();
		let s = t == 0 ? Pr : Fr, c = n;
		for (let t = 0; t < e.length; t++) {
			let n = e[t];
			if (n[1] > n[0]) {
				let e = n[0] - c;
				e > 0 && s(o, c, r, e, r + a), c = n[1];
			}
		}
		let l = n + i - c;
		l > 0 && s(o, c, r - 5, l, r + a + 10);
	}
	return o;
}
function Er(e, t, n) {
	let r = e[e.length - 1];
	r && r[0] == t ? r[1] = n : e.push([t, n]);
}
function Dr(e, t, n, r, i, a, o) {
	let s = [], c = e.length;
	for (let l = i == 1 ? n : r; l >= n && l <= r; l += i) if (t[l] === null) {
		let u = l, d = l;
		if (i == 1) for (; ++l <= r && t[l] === null;) d = l;
		else for (; --l >= n && t[l] === null;) d = l;
		let f = a(e[u]), p = d == u ? f : a(e[d]), m = u - i;
		f = o <= 0 && m >= 0 && m < c ? a(e[m]) : f;
		let h = d + i;
		p = o >= 0 && h >= 0 && h < c ? a(e[h]) : p, p >= f && s.push([f, p]);
	}
	return s;
}
function Or(e) {
	return e == 0 ? st : e == 1 ? qe : (t) => mt(t, e);
}
function kr(e) {
	let t = e == 0 ? Ar : jr, n = e == 0 ? (e, t, n, r, i, a) => {
		e.arcTo(t, n, r, i, a);
	} : (e, t, n, r, i, a) => {
		e.arcTo(n, t, i, r, a);
	}, r = e == 0 ? (e, t, n, r, i) => {
		e.rect(t, n, r, i);
	} : (e, t, n, r, i) => {
		e.rect(n, t, i, r);
	};
	return (e, i, a, o, s, c = 0, l = 0) => {
		c == 0 && l == 0 ? r(e, i, a, o, s) : (c = Ye(c, o / 2, s / 2), l = Ye(l, o / 2, s / 2), t(e, i + c, a), n(e, i + o, a, i + o, a + s, c), n(e, i + o, a + s, i, a + s, l), n(e, i, a + s, i, a, l), n(e, i, a, i + o, a, c), e.closePath());
	};
}
var Ar = (e, t, n) => {
	e.moveTo(t, n);
}, jr = (e, t, n) => {
	e.moveTo(n, t);
}, Mr = (e, t, n) => {
	e.lineTo(t, n);
}, Nr = (e, t, n) => {
	e.lineTo(n, t);
}, Pr = kr(0), Fr = kr(1), Ir = (e, t, n, r, i, a) => {
	e.arc(t, n, r, i, a);
}, Lr = (e, t, n, r, i, a) => {
	e.arc(n, t, r, i, a);
}, Rr = (e, t, n, r, i, a, o) => {
	e.bezierCurveTo(t, n, r, i, a, o);
}, zr = (e, t, n, r, i, a, o) => {
	e.bezierCurveTo(n, t, i, r, o, a);
};
function Br(e) {
	return (e, t, n, r, i) => Sr(e, t, (t, a, o, s, c, l, u, d, f, p, m) => {
		let { pxRound: h, points: g } = t, _, v;
		s.ori == 0 ? (_ = Ar, v = Ir) : (_ = jr, v = Lr);
		let y = B(g.width * j, 3), b = (g.size - g.width) / 2 * j, x = B(b * 2, 3), S = new Path2D(), C = new Path2D(), { left: w, top: T, width: E, height: D } = e.bbox;
		Pr(C, w - x, T - x, E + x * 2, D + x * 2);
		let ee = (e) => {
			if (o[e] != null) {
				let t = h(l(a[e], s, p, d)), n = h(u(o[e], c, m, f));
				_(S, t + b, n), v(S, t, n, b, 0, We * 2);
			}
		};
		if (i) i.forEach(ee);
		else for (let e = n; e <= r; e++) ee(e);
		return {
			stroke: y > 0 ? S : null,
			fill: S,
			clip: C,
			flags: 3
		};
	});
}
function Vr(e) {
	return (t, n, r, i, a, o) => {
		r != i && (a != r && o != r && e(t, n, r), a != i && o != i && e(t, n, i), e(t, n, o));
	};
}
var Hr = Vr(Mr), Ur = Vr(Nr);
function Wr(e) {
	let t = I(e?.alignGaps, 0);
	return (e, n, r, i) => Sr(e, n, (a, o, s, c, l, u, d, f, p, m, h) => {
		[r, i] = Me(s, r, i);
		let g = a.pxRound, _ = (e) => g(u(e, c, m, f)), v = (e) => g(d(e, l, h, p)), y, b;
		c.ori == 0 ? (y = Mr, b = Hr) : (y = Nr, b = Ur);
		let x = c.dir * (c.ori == 0 ? 1 : -1), S = {
			stroke: new Path2D(),
			fill: null,
			clip: null,
			band: null,
			gaps: null,
			flags: br
		}, C = S.stroke, w = !1;
		if (i - r >= m * 4) {
			let t = (t) => e.posToVal(t, c.key, !0), n = null, a = null, l, u, d, f = _(o[x == 1 ? r : i]), p = _(o[r]), m = _(o[i]), h = t(x == 1 ? p + 1 : m - 1);
			for (let e = x == 1 ? r : i; e >= r && e <= i; e += x) {
				let r = o[e], i = (x == 1 ? r < h : r > h) ? f : _(r), c = s[e];
				i == f ? c == null ? c === null && (w = !0) : (u = c, n == null ? (y(C, i, v(u)), l = n = a = u) : u < n ? n = u : u > a && (a = u)) : (n != null && b(C, f, v(n), v(a), v(l), v(u)), c == null ? (n = a = null, c === null && (w = !0)) : (u = c, y(C, i, v(u)), n = a = l = u), f = i, h = t(f + x));
			}
			n != null && n != a && d != f && b(C, f, v(n), v(a), v(l), v(u));
		} else for (let e = x == 1 ? r : i; e >= r && e <= i; e += x) {
			let t = s[e];
			t === null ? w = !0 : t != null && y(C, _(o[e]), v(t));
		}
		let [T, E] = Cr(e, n);
		if (a.fill != null || T != 0) {
			let t = S.fill = new Path2D(C), s = v(a.fillTo(e, n, a.min, a.max, T)), c = _(o[r]), l = _(o[i]);
			x == -1 && ([l, c] = [c, l]), y(t, l, s), y(t, c, s);
		}
		if (!a.spanGaps) {
			let l = [];
			w && l.push(...Dr(o, s, r, i, x, _, t)), S.gaps = l = a.gaps(e, n, r, i, l), S.clip = Tr(l, c.ori, f, p, m, h);
		}
		return E != 0 && (S.band = E == 2 ? [G(e, n, r, i, C, -1), G(e, n, r, i, C, 1)] : G(e, n, r, i, C, E)), S;
	});
}
function Gr(e) {
	let t = I(e.align, 1), n = I(e.ascDesc, !1), r = I(e.alignGaps, 0), i = I(e.extend, !1);
	return (e, a, o, s) => Sr(e, a, (c, l, u, d, f, p, m, h, g, _, v) => {
		[o, s] = Me(u, o, s);
		let y = c.pxRound, { left: b, width: x } = e.bbox, S = (e) => y(p(e, d, _, h)), C = (e) => y(m(e, f, v, g)), w = d.ori == 0 ? Mr : Nr, T = {
			stroke: new Path2D(),
			fill: null,
			clip: null,
			band: null,
			gaps: null,
			flags: br
		}, E = T.stroke, D = d.dir * (d.ori == 0 ? 1 : -1), ee = C(u[D == 1 ? o : s]), te = S(l[D == 1 ? o : s]), ne = te, re = te;
		i && t == -1 && (re = b, w(E, re, ee)), w(E, te, ee);
		for (let e = D == 1 ? o : s; e >= o && e <= s; e += D) {
			let n = u[e];
			if (n == null) continue;
			let r = S(l[e]), i = C(n);
			t == 1 ? w(E, r, ee) : w(E, ne, i), w(E, r, i), ee = i, ne = r;
		}
		let ie = ne;
		i && t == 1 && (ie = b + x, w(E, ie, ee));
		let [ae, oe] = Cr(e, a);
		if (c.fill != null || ae != 0) {
			let t = T.fill = new Path2D(E), n = C(c.fillTo(e, a, c.min, c.max, ae));
			w(t, ie, n), w(t, re, n);
		}
		if (!c.spanGaps) {
			let i = [];
			i.push(...Dr(l, u, o, s, D, S, r));
			let f = c.width * j / 2, p = n || t == 1 ? f : -f, m = n || t == -1 ? -f : f;
			i.forEach((e) => {
				e[0] += p, e[1] += m;
			}), T.gaps = i = c.gaps(e, a, o, s, i), T.clip = Tr(i, d.ori, h, g, _, v);
		}
		return oe != 0 && (T.band = oe == 2 ? [G(e, a, o, s, E, -1), G(e, a, o, s, E, 1)] : G(e, a, o, s, E, oe)), T;
	});
}
function Kr(e, t, n, r, i, a, o = nt) {
	if (e.length > 1) {
		let s = null;
		for (let c = 0, l = Infinity; c < e.length; c++) if (t[c] !== void 0) {
			if (s != null) {
				let t = Ge(e[c] - e[s]);
				t < l && (l = t, o = Ge(n(e[c], r, i, a) - n(e[s], r, i, a)));
			}
			s = c;
		}
	}
	return o;
}
function qr(e) {
	e ||= bt;
	let t = I(e.size, [
		.6,
		nt,
		1
	]), n = e.align || 0, r = e.gap || 0, i = e.radius;
	i = i == null ? [0, 0] : typeof i == "number" ? [i, 0] : i;
	let a = z(i), o = 1 - t[0], s = I(t[1], nt), c = I(t[2], 1), l = I(e.disp, bt), u = I(e.each, (e) => {}), { fill: d, stroke: f } = l;
	return (e, t, i, p) => Sr(e, t, (m, h, g, _, v, y, b, x, S, C, w) => {
		let T = m.pxRound, E = n, D = r * j, ee = s * j, te = c * j, ne, re;
		_.ori == 0 ? [ne, re] = a(e, t) : [re, ne] = a(e, t);
		let ie = _.dir * (_.ori == 0 ? 1 : -1), ae = _.ori == 0 ? Pr : Fr, oe = _.ori == 0 ? u : (e, t, n, r, i, a, o) => {
			u(e, t, n, i, r, o, a);
		}, se = I(e.bands, xt).find((e) => e.series[0] == t), O = se == null ? 0 : se.dir, k = m.fillTo(e, t, m.min, m.max, O), ce = T(b(k, v, w, S)), le, A, ue, de = C, fe = T(m.width * j), pe = !1, me = null, he = null, ge = null, M = null;
		d != null && (fe == 0 || f != null) && (pe = !0, me = d.values(e, t, i, p), he = /* @__PURE__ */ new Map(), new Set(me).forEach((e) => {
			e != null && he.set(e, new Path2D());
		}), fe > 0 && (ge = f.values(e, t, i, p), M = /* @__PURE__ */ new Map(), new Set(ge).forEach((e) => {
			e != null && M.set(e, new Path2D());
		})));
		let { x0: _e, size: ve } = l;
		if (_e != null && ve != null) {
			E = 1, h = _e.values(e, t, i, p), _e.unit == 2 && (h = h.map((t) => e.posToVal(x + t * C, _.key, !0)));
			let n = ve.values(e, t, i, p);
			A = ve.unit == 2 ? n[0] * C : y(n[0], _, C, x) - y(0, _, C, x), de = Kr(h, g, y, _, C, x, de), ue = de - A + D;
		} else de = Kr(h, g, y, _, C, x, de), ue = de * o + D, A = de - ue;
		ue < 1 && (ue = 0), fe >= A / 2 && (fe = 0), ue < 5 && (T = st);
		let ye = ue > 0, be = de - ue - (ye ? fe : 0);
		A = T(it(be, te, ee)), le = (E == 0 ? A / 2 : E == ie ? 0 : A) - E * ie * ((E == 0 ? D / 2 : 0) + (ye ? fe / 2 : 0));
		let xe = {
			stroke: null,
			fill: null,
			clip: null,
			band: null,
			gaps: null,
			flags: 0
		}, Se = pe ? null : new Path2D(), N = null;
		if (se != null) N = e.data[se.series[1]];
		else {
			let { y0: n, y1: r } = l;
			n != null && r != null && (g = r.values(e, t, i, p), N = n.values(e, t, i, p));
		}
		let Ce = ne * A, we = re * A;
		for (let n = ie == 1 ? i : p; n >= i && n <= p; n += ie) {
			let r = g[n];
			if (r == null) continue;
			if (N != null) {
				let e = N[n] ?? 0;
				if (r - e == 0) continue;
				ce = b(e, v, w, S);
			}
			let i = y(_.distr != 2 || l != null ? h[n] : n, _, C, x), a = b(I(r, k), v, w, S), o = T(i - le), s = T(Xe(a, ce)), c = T(Ye(a, ce)), u = s - c;
			if (r != null) {
				let i = r < 0 ? we : Ce, a = r < 0 ? Ce : we;
				pe ? (fe > 0 && ge[n] != null && ae(M.get(ge[n]), o, c + Ke(fe / 2), A, Xe(0, u - fe), i, a), me[n] != null && ae(he.get(me[n]), o, c + Ke(fe / 2), A, Xe(0, u - fe), i, a)) : ae(Se, o, c + Ke(fe / 2), A, Xe(0, u - fe), i, a), oe(e, t, n, o - fe / 2, c, A + fe, u);
			}
		}
		return fe > 0 ? xe.stroke = pe ? M : Se : pe || (xe._fill = m.width == 0 ? m._fill : m._stroke ?? m._fill, xe.width = 0), xe.fill = pe ? he : Se, xe;
	});
}
function Jr(e, t) {
	let n = I(t?.alignGaps, 0);
	return (t, r, i, a) => Sr(t, r, (o, s, c, l, u, d, f, p, m, h, g) => {
		[i, a] = Me(c, i, a);
		let _ = o.pxRound, v = (e) => _(d(e, l, h, p)), y = (e) => _(f(e, u, g, m)), b, x, S;
		l.ori == 0 ? (b = Ar, S = Mr, x = Rr) : (b = jr, S = Nr, x = zr);
		let C = l.dir * (l.ori == 0 ? 1 : -1), w = v(s[C == 1 ? i : a]), T = w, E = [], D = [];
		for (let e = C == 1 ? i : a; e >= i && e <= a; e += C) if (c[e] != null) {
			let t = s[e], n = v(t);
			E.push(T = n), D.push(y(c[e]));
		}
		let ee = {
			stroke: e(E, D, b, S, x, _),
			fill: null,
			clip: null,
			band: null,
			gaps: null,
			flags: br
		}, te = ee.stroke, [ne, re] = Cr(t, r);
		if (o.fill != null || ne != 0) {
			let e = ee.fill = new Path2D(te), n = y(o.fillTo(t, r, o.min, o.max, ne));
			S(e, T, n), S(e, w, n);
		}
		if (!o.spanGaps) {
			let e = [];
			e.push(...Dr(s, c, i, a, C, v, n)), ee.gaps = e = o.gaps(t, r, i, a, e), ee.clip = Tr(e, l.ori, p, m, h, g);
		}
		return re != 0 && (ee.band = re == 2 ? [G(t, r, i, a, te, -1), G(t, r, i, a, te, 1)] : G(t, r, i, a, te, re)), ee;
	});
}
function Yr(e) {
	return Jr(Xr, e);
}
function Xr(e, t, n, r, i, a) {
	let o = e.length;
	if (o < 2) return null;
	let s = new Path2D();
	if (n(s, e[0], t[0]), o == 2) r(s, e[1], t[1]);
	else {
		let n = Array(o), r = Array(o - 1), a = Array(o - 1), c = Array(o - 1);
		for (let n = 0; n < o - 1; n++) a[n] = t[n + 1] - t[n], c[n] = e[n + 1] - e[n], r[n] = a[n] / c[n];
		n[0] = r[0];
		for (let e = 1; e < o - 1; e++) r[e] === 0 || r[e - 1] === 0 || r[e - 1] > 0 != r[e] > 0 ? n[e] = 0 : (n[e] = 3 * (c[e - 1] + c[e]) / ((2 * c[e] + c[e - 1]) / r[e - 1] + (c[e] + 2 * c[e - 1]) / r[e]), isFinite(n[e]) || (n[e] = 0));
		n[o - 1] = r[o - 2];
		for (let r = 0; r < o - 1; r++) i(s, e[r] + c[r] / 3, t[r] + n[r] * c[r] / 3, e[r + 1] - c[r] / 3, t[r + 1] - n[r + 1] * c[r] / 3, e[r + 1], t[r + 1]);
	}
	return s;
}
var Zr = /* @__PURE__ */ new Set();
function Qr() {
	for (let e of Zr) e.syncRect(!0);
}
A && (Ee(se, de, Qr), Ee(O, de, Qr, !0), Ee(ce, de, () => {
	mi.pxRatio = j;
}));
var $r = Wr(), ei = Br();
function ti(e, t, n, r) {
	return (r ? [e[0], e[1]].concat(e.slice(2)) : [e[0]].concat(e.slice(1))).map((e, r) => ri(e, r, t, n));
}
function ni(e, t) {
	return e.map((e, n) => n == 0 ? {} : Mt({}, t, e));
}
function ri(e, t, n, r) {
	return Mt({}, t == 0 ? n : r, e);
}
function ii(e, t, n) {
	return t == null ? St : [t, n];
}
var ai = ii;
function oi(e, t, n) {
	return t == null ? St : ze(t, n, Ie, !0);
}
function si(e, t, n, r) {
	return t == null ? St : Pe(t, n, e.scales[r].log, !1);
}
var ci = si;
function li(e, t, n, r) {
	return t == null ? St : Fe(t, n, e.scales[r].log, !1);
}
var ui = li;
function di(e, t, n, r, i) {
	let a = Xe(rt(e), rt(t)), o = t - e, s = Oe(i / r * o, n);
	do {
		let e = n[s], t = r * e / o;
		if (t >= i && a + (e < 5 ? _t.get(e) : 0) <= 17) return [e, t];
	} while (++s < n.length);
	return [0, 0];
}
function fi(e) {
	let t, n;
	return e = e.replace(/(\d+)px/, (e, r) => (t = qe((n = +r) * j)) + "px"), [
		e,
		t,
		n
	];
}
function pi(e) {
	e.show && [e.font, e.labelFont].forEach((e) => {
		let t = B(e[2] * j, 1);
		e[0] = e[0].replace(/[0-9.]+px/, t + "px"), e[1] = t;
	});
}
function mi(e, D, se) {
	let O = { mode: I(e.mode, 1) }, k = O.mode;
	function A(e, t, n, r) {
		let i = t.valToPct(e);
		return r + n * (t.dir == -1 ? 1 - i : i);
	}
	function fe(e, t, n, r) {
		let i = t.valToPct(e);
		return r + n * (t.dir == -1 ? i : 1 - i);
	}
	function pe(e, t, n, r) {
		return t.ori == 0 ? A(e, t, n, r) : fe(e, t, n, r);
	}
	O.valToPosH = A, O.valToPosV = fe;
	let me = !1;
	O.status = 0;
	let ye = O.root = ve(t);
	if (e.id != null && (ye.id = e.id), he(ye, e.class), e.title) {
		let t = ve(i, ye);
		t.textContent = e.title;
	}
	let xe = _e("canvas"), N = O.ctx = xe.getContext("2d"), we = ve(a, ye);
	Ee("click", we, (e) => {
		e.target === ke && (q != Ii || J != Li) && Vi.click(O, e);
	}, !0);
	let Te = O.under = ve(o, we);
	we.appendChild(xe);
	let ke = O.over = ve(s, we);
	e = jt(e);
	let Ae = +I(e.pxAlign, 1), je = Or(Ae);
	(e.plugins || []).forEach((t) => {
		t.opts && (e = t.opts(O, e) || e);
	});
	let Me = e.ms || .001, P = O.series = k == 1 ? ti(e.series || [], Yn, mr, !1) : ni(e.series || [null], pr), Re = O.axes = ti(e.axes || [], Kn, cr, !0), F = O.scales = {}, Ve = O.bands = e.bands || [];
	Ve.forEach((e) => {
		e.fill = z(e.fill || null), e.dir = I(e.dir, -1);
	});
	let L = k == 2 ? P[1].facets[0].scale : P[0].scale, He = {
		axes: xi,
		series: Jr
	}, Ue = (e.drawOrder || ["axes", "series"]).map((e) => He[e]);
	function Ke(e) {
		let t = e.distr == 3 ? (t) => $e(t > 0 ? t : e.clamp(O, t, e.min, e.max, e.key)) : e.distr == 4 ? (t) => tt(t, e.asinh) : e.distr == 100 ? (t) => e.fwd(t) : (e) => e;
		return (n) => {
			let r = t(n), { _min: i, _max: a } = e, o = a - i;
			return (r - i) / o;
		};
	}
	function Qe(t) {
		let n = F[t];
		if (n == null) {
			let r = (e.scales || bt)[t] || bt;
			if (r.from != null) {
				Qe(r.from);
				let e = Mt({}, F[r.from], r, { key: t });
				e.valToPct = Ke(e), F[t] = e;
			} else {
				n = F[t] = Mt({}, t == L ? gr : _r, r), n.key = t;
				let e = n.time, i = n.range, a = Ct(i);
				if ((t != L || k == 2 && !e) && (a && (i[0] == null || i[1] == null) && (i = {
					min: i[0] == null ? Le : {
						mode: 1,
						hard: i[0],
						soft: i[0]
					},
					max: i[1] == null ? Le : {
						mode: 1,
						hard: i[1],
						soft: i[1]
					}
				}, a = !1), !a && Dt(i))) {
					let e = i;
					i = (t, n, r) => n == null ? St : ze(n, r, e);
				}
				n.range = z(i || (e ? ai : t == L ? n.distr == 3 ? ci : n.distr == 4 ? ui : ii : n.distr == 3 ? si : n.distr == 4 ? li : oi)), n.auto = z(!a && n.auto), n.clamp = z(n.clamp || hr), n._min = n._max = null, n.valToPct = Ke(n);
			}
		}
	}
	Qe("x"), Qe("y"), k == 1 && P.forEach((e) => {
		Qe(e.scale);
	}), Re.forEach((e) => {
		Qe(e.scale);
	});
	for (let t in e.scales) Qe(t);
	let R = F[L], rt = R.distr, ot, st;
	R.ori == 0 ? (he(ye, n), ot = A, st = fe) : (he(ye, r), ot = fe, st = A);
	let ft = {};
	for (let e in F) {
		let t = F[e];
		(t.min != null || t.max != null) && (ft[e] = {
			min: t.min,
			max: t.max
		}, t.min = t.max = null);
	}
	let pt = e.tzDate || ((e) => new Date(qe(e / Me))), ht = e.fmtDate || Yt, gt = Me == 1 ? gn(pt) : yn(pt), yt = xn(pt, bn(Me == 1 ? hn : vn, ht)), wt = En(pt, wn(Tn, ht)), kt = [], At = O.legend = Mt({}, kn, e.legend), V = O.cursor = Mt({}, Rn, { drag: { y: k == 2 } }, e.cursor), Nt = At.show, Pt = V.show, Ft = At.markers;
	At.idxs = kt, Ft.width = z(Ft.width), Ft.dash = z(Ft.dash), Ft.stroke = z(Ft.stroke), Ft.fill = z(Ft.fill);
	let It, Rt, zt, Bt = [], Vt = [], Ht, Ut = !1, Wt = {};
	if (At.live) {
		let e = P[1] ? P[1].values : null;
		Ut = e != null, Ht = Ut ? e(O, 1, 0) : { _: 0 };
		for (let e in Ht) Wt[e] = le;
	}
	if (Nt) {
		if (It = _e("table", m, ye), zt = _e("tbody", null, It), At.mount(O, It), Ut) {
			Rt = _e("thead", null, It, zt);
			let e = _e("tr", null, Rt);
			for (var Gt in _e("th", null, e), Ht) _e("th", y, e).textContent = Gt;
		} else he(It, g), At.live && he(It, h);
	}
	let Kt = { show: !0 }, qt = { show: !1 };
	function Jt(e, t) {
		if (t == 0 && (Ut || !At.live || k == 2)) return St;
		let n = [], r = _e("tr", _, zt, zt.childNodes[t]);
		he(r, e.class), e.show || he(r, l);
		let i = _e("th", null, r);
		if (Ft.show) {
			let e = ve(v, i);
			if (t > 0) {
				let n = Ft.width(O, t);
				n && (e.style.border = n + "px " + Ft.dash(O, t) + " " + Ft.stroke(O, t)), e.style.background = Ft.fill(O, t);
			}
		}
		let a = ve(y, i);
		for (var o in e.label instanceof HTMLElement ? a.appendChild(e.label) : a.textContent = e.label, t > 0 && (Ft.show || (a.style.color = e.width > 0 ? Ft.stroke(O, t) : Ft.fill(O, t)), Zt("click", i, (t) => {
			if (V._lock) return;
			zn(t);
			let n = P.indexOf(e);
			if ((t.ctrlKey || t.metaKey) != At.isolate) {
				let e = P.some((e, t) => t > 0 && t != n && e.show);
				P.forEach((t, r) => {
					r > 0 && Ji(r, e ? r == n ? Kt : qt : Kt, !0, Ma.setSeries);
				});
			} else Ji(n, { show: !e.show }, !0, Ma.setSeries);
		}, !1), Hn && Zt(ie, i, (t) => {
			V._lock || (zn(t), Ji(P.indexOf(e), na, !0, Ma.setSeries));
		}, !1)), Ht) {
			let e = _e("td", b, r);
			e.textContent = "--", n.push(e);
		}
		return [r, n];
	}
	let Xt = /* @__PURE__ */ new Map();
	function Zt(e, t, n, r = !0) {
		let i = Xt.get(t) || {}, a = V.bind[e](O, t, n, r);
		a && (Ee(e, t, i[e] = a), Xt.set(t, i));
	}
	function Qt(e, t, n) {
		let r = Xt.get(t) || {};
		for (let n in r) (e == null || n == e) && (De(n, t, r[n]), delete r[n]);
		e ?? Xt.delete(t);
	}
	let $t = 0, en = 0, H = 0, U = 0, rn = 0, an = 0, on = rn, sn = an, cn = H, ln = U, un = 0, dn = 0, fn = 0, W = 0;
	O.bbox = {};
	let pn = !1, Cn = !1, Dn = !1, On = !1, An = !1, jn = !1;
	function Mn(e, t, n) {
		(n || e != O.width || t != O.height) && Nn(e, t), Si(!1), Dn = !0, Cn = !0, K();
	}
	function Nn(e, t) {
		O.width = $t = H = e, O.height = en = U = t, rn = an = 0, In(), Ln();
		let n = O.bbox;
		un = n.left = mt(rn * j, .5), dn = n.top = mt(an * j, .5), fn = n.width = mt(H * j, .5), W = n.height = mt(U * j, .5);
	}
	function Pn() {
		let e = !1, t = 0;
		for (; !e;) {
			t++;
			let n = yi(t), r = bi(t);
			e = t == 3 || n && r, e || (Nn(O.width, O.height), Cn = !0);
		}
	}
	function Fn({ width: e, height: t }) {
		Mn(e, t);
	}
	O.setSize = Fn;
	function In() {
		let e = !1, t = !1, n = !1, r = !1;
		Re.forEach((i, a) => {
			if (i.show && i._show) {
				let { side: a, _size: o } = i, s = a % 2, c = o + (i.label == null ? 0 : i.labelSize);
				c > 0 && (s ? (H -= c, a == 3 ? (rn += c, r = !0) : n = !0) : (U -= c, a == 0 ? (an += c, e = !0) : t = !0));
			}
		}), ur[0] = e, ur[1] = n, ur[2] = t, ur[3] = r, H -= Sr[1] + Sr[3], rn += Sr[3], U -= Sr[2] + Sr[0], an += Sr[0];
	}
	function Ln() {
		let e = rn + H, t = an + U, n = rn, r = an;
		function i(i, a) {
			switch (i) {
				case 1: return e += a, e - a;
				case 2: return t += a, t - a;
				case 3: return n -= a, n + a;
				case 0: return r -= a, r + a;
			}
		}
		Re.forEach((e, t) => {
			if (e.show && e._show) {
				let t = e.side;
				e._pos = i(t, e._size), e.label != null && (e._lpos = i(t, e.labelSize));
			}
		});
	}
	if (V.dataIdx == null) {
		let e = V.hover, t = e.skip = new Set(e.skip ?? []);
		t.add(void 0);
		let n = e.prox = z(e.prox), r = e.bias ??= 0;
		V.dataIdx = (e, i, a, o) => {
			if (i == 0) return a;
			let s = a, c = n(e, i, a, o) ?? nt, l = c >= 0 && c < nt, u = R.ori == 0 ? H : U, d = V.left, f = D[0], p = D[i];
			if (t.has(p[a])) {
				s = null;
				let e = null, n = null, i;
				if (r == 0 || r == -1) for (i = a; e == null && i-- > 0;) t.has(p[i]) || (e = i);
				if (r == 0 || r == 1) for (i = a; n == null && i++ < p.length;) t.has(p[i]) || (n = i);
				if (e != null || n != null) {
					if (l) {
						let t = e == null ? -Infinity : ot(f[e], R, u, 0), r = n == null ? Infinity : ot(f[n], R, u, 0), i = d - t, a = r - d;
						i <= a ? i <= c && (s = e) : a <= c && (s = n);
					} else s = n == null ? e : e == null ? n : a - e <= n - a ? e : n;
				}
			} else l && Ge(d - ot(f[a], R, u, 0)) > c && (s = null);
			return s;
		};
	}
	let zn = (e) => {
		V.event = e;
	};
	V.idxs = kt, V._lock = !1;
	let Bn = V.points;
	Bn.show = z(Bn.show), Bn.size = z(Bn.size), Bn.stroke = z(Bn.stroke), Bn.width = z(Bn.width), Bn.fill = z(Bn.fill);
	let Vn = O.focus = Mt({}, e.focus || { alpha: .3 }, V.focus), Hn = Vn.prox >= 0, Un = Hn && Bn.one, Wn = [], Gn = [], er = [];
	function tr(e, t) {
		let n = Bn.show(O, t);
		if (n instanceof HTMLElement) return he(n, p), he(n, e.class), be(n, -10, -10, H, U), ke.insertBefore(n, Wn[t]), n;
	}
	function nr(e, t) {
		if (k == 1 || t > 0) {
			let t = k == 1 && F[e.scale].time, n = e.value;
			e.value = t ? Et(n) ? En(pt, wn(n, ht)) : n || wt : n || sr, e.label = e.label || (t ? Jn : qn);
		}
		if (Un || t > 0) {
			e.width = e.width == null ? 1 : e.width, e.paths = e.paths || $r || lt, e.fillTo = z(e.fillTo || wr), e.pxAlign = +I(e.pxAlign, Ae), e.pxRound = Or(e.pxAlign), e.stroke = z(e.stroke || null), e.fill = z(e.fill || null), e._stroke = e._fill = e._paths = e._focus = null;
			let t = lr(Xe(1, e.width), 1), n = e.points = Mt({}, {
				size: t,
				width: Xe(1, t * .2),
				stroke: e.stroke,
				space: t * 2,
				paths: ei,
				_stroke: null,
				_fill: null
			}, e.points);
			n.show = z(n.show), n.filter = z(n.filter), n.fill = z(n.fill), n.stroke = z(n.stroke), n.paths = z(n.paths), n.pxAlign = e.pxAlign;
		}
		if (Nt) {
			let n = Jt(e, t);
			Bt.splice(t, 0, n[0]), Vt.splice(t, 0, n[1]), At.values.push(null);
		}
		if (Pt) {
			kt.splice(t, 0, null);
			let n = null;
			Un ? t == 0 && (n = tr(e, t)) : t > 0 && (n = tr(e, t)), Wn.splice(t, 0, n), Gn.splice(t, 0, 0), er.splice(t, 0, 0);
		}
		Aa("addSeries", t);
	}
	function rr(e, t) {
		t ??= P.length, e = k == 1 ? ri(e, t, Yn, mr) : ri(e, t, {}, pr), P.splice(t, 0, e), nr(P[t], t);
	}
	O.addSeries = rr;
	function ir(e) {
		if (P.splice(e, 1), Nt) {
			At.values.splice(e, 1), Vt.splice(e, 1);
			let t = Bt.splice(e, 1)[0];
			Qt(null, t.firstChild), t.remove();
		}
		Pt && (kt.splice(e, 1), Wn.splice(e, 1)[0].remove(), Gn.splice(e, 1), er.splice(e, 1)), Aa("delSeries", e);
	}
	O.delSeries = ir;
	let ur = [
		!1,
		!1,
		!1,
		!1
	];
	function dr(e, t) {
		if (e._show = e.show, e.show) {
			let n = e.side % 2, r = F[e.scale];
			r ??= (e.scale = n ? P[1].scale : L, F[e.scale]);
			let i = r.time;
			e.size = z(e.size), e.space = z(e.space), e.rotate = z(e.rotate), Ct(e.incrs) && e.incrs.forEach((e) => {
				!_t.has(e) && _t.set(e, vt(e));
			}), e.incrs = z(e.incrs || (r.distr == 2 ? tn : i ? Me == 1 ? mn : _n : nn)), e.splits = z(e.splits || (i && r.distr == 1 ? gt : r.distr == 3 ? Qn : r.distr == 4 ? $n : Zn)), e.stroke = z(e.stroke), e.grid.stroke = z(e.grid.stroke), e.ticks.stroke = z(e.ticks.stroke), e.border.stroke = z(e.border.stroke);
			let a = e.values;
			e.values = Ct(a) && !Ct(a[0]) ? z(a) : i ? Ct(a) ? xn(pt, bn(a, ht)) : Et(a) ? Sn(pt, a) : a || yt : a || Xn, e.filter = z(e.filter || (r.distr >= 3 && r.log == 10 ? ar : r.distr == 3 && r.log == 2 ? or : ct)), e.font = fi(e.font), e.labelFont = fi(e.labelFont), e._size = e.size(O, null, t, 0), e._space = e._rotate = e._incrs = e._found = e._splits = e._values = null, e._size > 0 && (ur[t] = !0, e._el = ve(c, we));
		}
	}
	function fr(e, t, n, r) {
		let [i, a, o, s] = n, c = t % 2, l = 0;
		return c == 0 && (s || a) && (l = t == 0 && !i || t == 2 && !o ? qe(Kn.size / 3) : 0), c == 1 && (i || o) && (l = t == 1 && !a || t == 3 && !s ? qe(cr.size / 2) : 0), l;
	}
	let vr = O.padding = (e.padding || [
		fr,
		fr,
		fr,
		fr
	]).map((e) => z(I(e, fr))), Sr = O._padding = vr.map((e, t) => e(O, t, ur, 0)), Cr, G = null, Tr = null, Er = k == 1 ? P[0].idxs : null, Dr = null, kr = !1;
	function Ar(e, t) {
		if (D = e ?? [], O.data = O._data = D, k == 2) {
			Cr = 0;
			for (let e = 1; e < P.length; e++) Cr += D[e][0].length;
		} else {
			D.length == 0 && (O.data = O._data = D = [[]]), Dr = D[0], Cr = Dr.length;
			let e = D;
			if (rt == 2) {
				e = D.slice();
				let t = e[0] = Array(Cr);
				for (let e = 0; e < Cr; e++) t[e] = e;
			}
			O._data = D = e;
		}
		if (Si(!0), Aa("setData"), rt == 2 && (Dn = !0), t !== !1) {
			let e = R;
			e.auto(O, kr) ? jr() : qi(L, e.min, e.max), On ||= V.left >= 0, jn = !0, K();
		}
	}
	O.setData = Ar;
	function jr() {
		kr = !0;
		let e, t;
		k == 1 && (Cr > 0 ? (G = Er[0] = 0, Tr = Er[1] = Cr - 1, e = D[0][G], t = D[0][Tr], rt == 2 ? (e = G, t = Tr) : e == t && (rt == 3 ? [e, t] = Pe(e, e, R.log, !1) : rt == 4 ? [e, t] = Fe(e, e, R.log, !1) : R.time ? t = e + qe(86400 / Me) : [e, t] = ze(e, t, Ie, !0))) : (G = Er[0] = e = null, Tr = Er[1] = t = null)), qi(L, e, t);
	}
	let Mr, Nr, Pr, Fr, Ir, Lr, Rr, zr, Br, Vr;
	function Hr(e, t, n, r, i, a) {
		e ??= ee, n ??= xt, r ??= "butt", i ??= ee, a ??= "round", e != Mr && (N.strokeStyle = Mr = e), i != Nr && (N.fillStyle = Nr = i), t != Pr && (N.lineWidth = Pr = t), a != Ir && (N.lineJoin = Ir = a), r != Lr && (N.lineCap = Lr = r), n != Fr && N.setLineDash(Fr = n);
	}
	function Ur(e, t, n, r) {
		t != Nr && (N.fillStyle = Nr = t), e != Rr && (N.font = Rr = e), n != zr && (N.textAlign = zr = n), r != Br && (N.textBaseline = Br = r);
	}
	function Wr(e, t, n, r, i = 0) {
		if (r.length > 0 && e.auto(O, kr) && (t == null || t.min == null)) {
			let t = I(G, 0), a = I(Tr, r.length - 1), o = n.min == null ? Ne(r, t, a, i, e.distr == 3) : [n.min, n.max];
			e.min = Ye(e.min, n.min = o[0]), e.max = Xe(e.max, n.max = o[1]);
		}
	}
	let Gr = {
		min: null,
		max: null
	};
	function Kr() {
		for (let e in F) {
			let t = F[e];
			ft[e] == null && (t.min == null || ft[L] != null && t.auto(O, kr)) && (ft[e] = Gr);
		}
		for (let e in F) {
			let t = F[e];
			ft[e] == null && t.from != null && ft[t.from] != null && (ft[e] = Gr);
		}
		ft[L] != null && Si(!0);
		let e = {};
		for (let t in ft) {
			let n = ft[t];
			if (n != null) {
				let r = e[t] = jt(F[t], Ot);
				if (n.min != null) Mt(r, n);
				else if (t != L || k == 2) {
					if (Cr == 0 && r.from == null) {
						let e = r.range(O, null, null, t);
						r.min = e[0], r.max = e[1];
					} else r.min = nt, r.max = -Infinity;
				}
			}
		}
		if (Cr > 0) {
			P.forEach((t, n) => {
				if (k == 1) {
					let r = t.scale, i = ft[r];
					if (i == null) return;
					let a = e[r];
					if (n == 0) {
						let e = a.range(O, a.min, a.max, r);
						a.min = e[0], a.max = e[1], G = Oe(a.min, D[0]), Tr = Oe(a.max, D[0]), Tr - G > 1 && (D[0][G] < a.min && G++, D[0][Tr] > a.max && Tr--), t.min = Dr[G], t.max = Dr[Tr];
					} else t.show && t.auto && Wr(a, i, t, D[n], t.sorted);
					t.idxs[0] = G, t.idxs[1] = Tr;
				} else if (n > 0 && t.show && t.auto) {
					let [r, i] = t.facets, a = r.scale, o = i.scale, [s, c] = D[n], l = e[a], u = e[o];
					l != null && Wr(l, ft[a], r, s, r.sorted), u != null && Wr(u, ft[o], i, c, i.sorted), t.min = i.min, t.max = i.max;
				}
			});
			for (let t in e) {
				let n = e[t], r = ft[t];
				if (n.from == null && (r == null || r.min == null)) {
					let e = n.range(O, n.min == nt ? null : n.min, n.max == -Infinity ? null : n.max, t);
					n.min = e[0], n.max = e[1];
				}
			}
		}
		for (let t in e) {
			let n = e[t];
			if (n.from != null) {
				let r = e[n.from];
				if (r.min == null) n.min = n.max = null;
				else {
					let e = n.range(O, r.min, r.max, t);
					n.min = e[0], n.max = e[1];
				}
			}
		}
		let t = {}, n = !1;
		for (let r in e) {
			let i = e[r], a = F[r];
			if (a.min != i.min || a.max != i.max) {
				a.min = i.min, a.max = i.max;
				let e = a.distr;
				a._min = e == 3 ? $e(a.min) : e == 4 ? tt(a.min, a.asinh) : e == 100 ? a.fwd(a.min) : a.min, a._max = e == 3 ? $e(a.max) : e == 4 ? tt(a.max, a.asinh) : e == 100 ? a.fwd(a.max) : a.max, t[r] = n = !0;
			}
		}
		if (n) {
			P.forEach((e, n) => {
				k == 2 ? n > 0 && t.y && (e._paths = null) : t[e.scale] && (e._paths = null);
			});
			for (let e in t) Dn = !0, Aa("setScale", e);
			Pt && V.left >= 0 && (On = jn = !0);
		}
		for (let e in ft) ft[e] = null;
	}
	function qr(e) {
		let t = it(G - 1, 0, Cr - 1), n = it(Tr + 1, 0, Cr - 1);
		for (; e[t] == null && t > 0;) t--;
		for (; e[n] == null && n < Cr - 1;) n++;
		return [t, n];
	}
	function Jr() {
		if (Cr > 0) {
			let e = P.some((e) => e._focus) && Vr != Vn.alpha;
			e && (N.globalAlpha = Vr = Vn.alpha), P.forEach((e, t) => {
				if (t > 0 && e.show && (Yr(t, !1), Yr(t, !0), e._paths == null)) {
					let n = Vr;
					Vr != e.alpha && (N.globalAlpha = Vr = e.alpha);
					let r = k == 2 ? [0, D[t][0].length - 1] : qr(D[t]);
					e._paths = e.paths(O, t, r[0], r[1]), Vr != n && (N.globalAlpha = Vr = n);
				}
			}), P.forEach((e, t) => {
				if (t > 0 && e.show) {
					let n = Vr;
					Vr != e.alpha && (N.globalAlpha = Vr = e.alpha), e._paths != null && Xr(t, !1);
					{
						let n = e._paths == null ? null : e._paths.gaps, r = e.points.show(O, t, G, Tr, n), i = e.points.filter(O, t, r, n);
						(r || i) && (e.points._paths = e.points.paths(O, t, G, Tr, i), Xr(t, !0));
					}
					Vr != n && (N.globalAlpha = Vr = n), Aa("drawSeries", t);
				}
			}), e && (N.globalAlpha = Vr = 1);
		}
	}
	function Yr(e, t) {
		let n = t ? P[e].points : P[e];
		n._stroke = n.stroke(O, e), n._fill = n.fill(O, e);
	}
	function Xr(e, t) {
		let n = t ? P[e].points : P[e], { stroke: r, fill: i, clip: a, flags: o, _stroke: s = n._stroke, _fill: c = n._fill, _width: l = n.width } = n._paths;
		l = B(l * j, 3);
		let u = null, d = l % 2 / 2;
		t && c == null && (c = l > 0 ? "#fff" : s);
		let f = n.pxAlign == 1 && d > 0;
		if (f && N.translate(d, d), !t) {
			let e = un - l / 2, t = dn - l / 2, n = fn + l, r = W + l;
			u = new Path2D(), u.rect(e, t, n, r);
		}
		t ? mi(s, l, n.dash, n.cap, c, r, i, o, a) : Qr(e, s, l, n.dash, n.cap, c, r, i, o, u, a), f && N.translate(-d, -d);
	}
	function Qr(e, t, n, r, i, a, o, s, c, l, u) {
		let d = !1;
		c != 0 && Ve.forEach((f, p) => {
			if (f.series[0] == e) {
				let e = P[f.series[1]], m = D[f.series[1]], h = (e._paths || bt).band;
				Ct(h) && (h = f.dir == 1 ? h[0] : h[1]);
				let g, _ = null;
				e.show && h && Be(m, G, Tr) ? (_ = f.fill(O, p) || a, g = e._paths.clip) : h = null, mi(t, n, r, i, _, o, s, c, l, u, g, h), d = !0;
			}
		}), d || mi(t, n, r, i, a, o, s, c, l, u);
	}
	function mi(e, t, n, r, i, a, o, s, c, l, u, d) {
		Hr(e, t, n, r, i), (c || l || d) && (N.save(), c && N.clip(c), l && N.clip(l)), d ? (s & 3) == 3 ? (N.clip(d), u && N.clip(u), gi(i, o), hi(e, a, t)) : s & xr ? (gi(i, o), N.clip(d), hi(e, a, t)) : s & br && (N.save(), N.clip(d), u && N.clip(u), gi(i, o), N.restore(), hi(e, a, t)) : (gi(i, o), hi(e, a, t)), (c || l || d) && N.restore();
	}
	function hi(e, t, n) {
		n > 0 && (t instanceof Map ? t.forEach((e, t) => {
			N.strokeStyle = Mr = t, N.stroke(e);
		}) : t != null && e && N.stroke(t));
	}
	function gi(e, t) {
		t instanceof Map ? t.forEach((e, t) => {
			N.fillStyle = Nr = t, N.fill(e);
		}) : t != null && e && N.fill(t);
	}
	function _i(e, t, n, r) {
		let i = Re[e], a;
		if (r <= 0) a = [0, 0];
		else {
			let o = i._space = i.space(O, e, t, n, r);
			a = di(t, n, i._incrs = i.incrs(O, e, t, n, r, o), r, o);
		}
		return i._found = a;
	}
	function vi(e, t, n, r, i, a, o, s, c, l) {
		let u = o % 2 / 2;
		Ae == 1 && N.translate(u, u), Hr(s, o, c, l, s), N.beginPath();
		let d, f, p, m, h = i + (r == 0 || r == 3 ? -a : a);
		n == 0 ? (f = i, m = h) : (d = i, p = h);
		for (let r = 0; r < e.length; r++) t[r] != null && (n == 0 ? d = p = e[r] : f = m = e[r], N.moveTo(d, f), N.lineTo(p, m));
		N.stroke(), Ae == 1 && N.translate(-u, -u);
	}
	function yi(e) {
		let t = !0;
		return Re.forEach((n, r) => {
			if (!n.show) return;
			let i = F[n.scale];
			if (i.min == null) {
				n._show && (t = !1, n._show = !1, Si(!1));
				return;
			}
			n._show || (t = !1, n._show = !0, Si(!1));
			let a = n.side, o = a % 2, { min: s, max: c } = i, [l, u] = _i(r, s, c, o == 0 ? H : U);
			if (u == 0) return;
			let d = i.distr == 2, f = n._splits = n.splits(O, r, s, c, l, u, d), p = i.distr == 2 ? f.map((e) => Dr[e]) : f, m = i.distr == 2 ? Dr[f[1]] - Dr[f[0]] : l, h = n._values = n.values(O, n.filter(O, p, r, u, m), r, u, m);
			n._rotate = a == 2 ? n.rotate(O, h, r, u) : 0;
			let g = n._size;
			n._size = Je(n.size(O, h, r, e)), g != null && n._size != g && (t = !1);
		}), t;
	}
	function bi(e) {
		let t = !0;
		return vr.forEach((n, r) => {
			let i = n(O, r, ur, e);
			i != Sr[r] && (t = !1), Sr[r] = i;
		}), t;
	}
	function xi() {
		for (let e = 0; e < Re.length; e++) {
			let t = Re[e];
			if (!t.show || !t._show) continue;
			let n = t.side, r = n % 2, i, a, o = t.stroke(O, e), s = n == 0 || n == 3 ? -1 : 1, [c, l] = t._found;
			if (t.label != null) {
				let u = t.labelGap * s, d = qe((t._lpos + u) * j);
				Ur(t.labelFont[0], o, "center", n == 2 ? C : w), N.save(), r == 1 ? (i = a = 0, N.translate(d, qe(dn + W / 2)), N.rotate((n == 3 ? -We : We) / 2)) : (i = qe(un + fn / 2), a = d);
				let f = at(t.label) ? t.label(O, e, c, l) : t.label;
				N.fillText(f, i, a), N.restore();
			}
			if (l == 0) continue;
			let u = F[t.scale], d = r == 0 ? fn : W, f = r == 0 ? un : dn, p = t._splits, m = u.distr == 2 ? p.map((e) => Dr[e]) : p, h = u.distr == 2 ? Dr[p[1]] - Dr[p[0]] : c, g = t.ticks, _ = t.border, v = g.show ? g.size : 0, y = qe(v * j), b = qe((t.alignTo == 2 ? t._size - v - t.gap : t.gap) * j), x = t._rotate * -We / 180, S = je(t._pos * j), D = S + (y + b) * s;
			a = r == 0 ? D : 0, i = r == 1 ? D : 0;
			let ee = t.font[0];
			Ur(ee, o, t.align == 1 ? T : t.align == 2 ? E : x > 0 ? T : x < 0 ? E : r == 0 ? "center" : n == 3 ? E : T, x || r == 1 ? "middle" : n == 2 ? C : w);
			let te = t.font[1] * t.lineGap, ne = p.map((e) => je(pe(e, u, d, f))), re = t._values;
			for (let e = 0; e < re.length; e++) {
				let t = re[e];
				if (t != null) {
					r == 0 ? i = ne[e] : a = ne[e], t = "" + t;
					let n = t.indexOf("\n") == -1 ? [t] : t.split(/\n/gm);
					for (let e = 0; e < n.length; e++) {
						let t = n[e];
						x ? (N.save(), N.translate(i, a + e * te), N.rotate(x), N.fillText(t, 0, 0), N.restore()) : N.fillText(t, i, a + e * te);
					}
				}
			}
			g.show && vi(ne, g.filter(O, m, e, l, h), r, n, S, y, B(g.width * j, 3), g.stroke(O, e), g.dash, g.cap);
			let ie = t.grid;
			ie.show && vi(ne, ie.filter(O, m, e, l, h), r, r == 0 ? 2 : 1, r == 0 ? dn : un, r == 0 ? W : fn, B(ie.width * j, 3), ie.stroke(O, e), ie.dash, ie.cap), _.show && vi([S], [1], +(r == 0), r == 0 ? 1 : 2, r == 1 ? dn : un, r == 1 ? W : fn, B(_.width * j, 3), _.stroke(O, e), _.dash, _.cap);
		}
		Aa("drawAxes");
	}
	function Si(e) {
		P.forEach((t, n) => {
			n > 0 && (t._paths = null, e && (k == 1 ? (t.min = null, t.max = null) : t.facets.forEach((e) => {
				e.min = null, e.max = null;
			})));
		});
	}
	let Ci = !1, wi = !1, Ti = [];
	function Ei() {
		wi = !1;
		for (let e = 0; e < Ti.length; e++) Aa(...Ti[e]);
		Ti.length = 0;
	}
	function K() {
		Ci ||= (Lt(Oi), !0);
	}
	function Di(e, t = !1) {
		Ci = !0, wi = t, e(O), Oi(), t && Ti.length > 0 && queueMicrotask(Ei);
	}
	O.batch = Di;
	function Oi() {
		if (pn &&= (Kr(), !1), Dn &&= (Pn(), !1), Cn) {
			if (M(Te, T, rn), M(Te, C, an), M(Te, x, H), M(Te, S, U), M(ke, T, rn), M(ke, C, an), M(ke, x, H), M(ke, S, U), M(we, x, $t), M(we, S, en), xe.width = qe($t * j), xe.height = qe(en * j), Re.forEach(({ _el: e, _show: t, _size: n, _pos: r, side: i }) => {
				if (e != null) {
					if (t) {
						let t = i === 3 || i === 0 ? n : 0, a = i % 2 == 1;
						M(e, a ? "left" : "top", r - t), M(e, a ? "width" : "height", n), M(e, a ? "top" : "left", a ? an : rn), M(e, a ? "height" : "width", a ? U : H), ge(e, l);
					} else he(e, l);
				}
			}), Mr = Nr = Pr = Ir = Lr = Rr = zr = Br = Fr = null, Vr = 1, ha(!0), rn != on || an != sn || H != cn || U != ln) {
				Si(!1);
				let e = H / cn, t = U / ln;
				if (Pt && !On && V.left >= 0) {
					V.left *= e, V.top *= t, Mi && be(Mi, qe(V.left), 0, H, U), Ni && be(Ni, 0, qe(V.top), H, U);
					for (let n = 0; n < Wn.length; n++) {
						let r = Wn[n];
						r != null && (Gn[n] *= e, er[n] *= t, be(r, Je(Gn[n]), Je(er[n]), H, U));
					}
				}
				if (Y.show && !An && Y.left >= 0 && Y.width > 0) {
					Y.left *= e, Y.width *= e, Y.top *= t, Y.height *= t;
					for (let e in va) M(Wi, e, Y[e]);
				}
				on = rn, sn = an, cn = H, ln = U;
			}
			Aa("setSize"), Cn = !1;
		}
		$t > 0 && en > 0 && (N.clearRect(0, 0, xe.width, xe.height), Aa("drawClear"), Ue.forEach((e) => e()), Aa("draw")), Y.show && An && (Gi(Y), An = !1), Pt && On && (pa(null, !0, !1), On = !1), At.show && At.live && jn && (da(), jn = !1), me || (me = !0, O.status = 1, Aa("ready")), kr = !1, Ci = !1;
	}
	O.redraw = (e, t) => {
		Dn = t || !1, e === !1 ? K() : qi(L, R.min, R.max);
	};
	function ki(e, t) {
		let n = F[e];
		if (n.from == null) {
			if (Cr == 0) {
				let r = n.range(O, t.min, t.max, e);
				t.min = r[0], t.max = r[1];
			}
			if (t.min > t.max) {
				let e = t.min;
				t.min = t.max, t.max = e;
			}
			if (Cr > 1 && t.min != null && t.max != null && t.max - t.min < 1e-16) return;
			e == L && n.distr == 2 && Cr > 0 && (t.min = Oe(t.min, D[0]), t.max = Oe(t.max, D[0]), t.min == t.max && t.max++), ft[e] = t, pn = !0, K();
		}
	}
	O.setScale = ki;
	let Ai, ji, Mi, Ni, Pi, Fi, Ii, Li, Ri, zi, q, J, Bi = !1, Vi = V.drag, Hi = Vi.x, Ui = Vi.y;
	Pt && (V.x && (Ai = ve(d, ke)), V.y && (ji = ve(f, ke)), R.ori == 0 ? (Mi = Ai, Ni = ji) : (Mi = ji, Ni = Ai), q = V.left, J = V.top);
	let Y = O.select = Mt({
		show: !0,
		over: !0,
		left: 0,
		width: 0,
		top: 0,
		height: 0
	}, e.select), Wi = Y.show ? ve(u, Y.over ? ke : Te) : null;
	function Gi(e, t) {
		if (Y.show) {
			for (let t in e) Y[t] = e[t], t in va && M(Wi, t, e[t]);
			t !== !1 && Aa("setSelect");
		}
	}
	O.setSelect = Gi;
	function Ki(e) {
		if (P[e].show) Nt && ge(Bt[e], l);
		else if (Nt && he(Bt[e], l), Pt) {
			let t = Un ? Wn[0] : Wn[e];
			t != null && be(t, -10, -10, H, U);
		}
	}
	function qi(e, t, n) {
		ki(e, {
			min: t,
			max: n
		});
	}
	function Ji(e, t, n, r) {
		t.focus != null && ra(e), t.show != null && P.forEach((n, r) => {
			r > 0 && (e == r || e == null) && (n.show = t.show, Ki(r), k == 2 ? (qi(n.facets[0].scale, null, null), qi(n.facets[1].scale, null, null)) : qi(n.scale, null, null), K());
		}), n !== !1 && Aa("setSeries", e, t), r && Fa("setSeries", O, e, t);
	}
	O.setSeries = Ji;
	function Yi(e, t) {
		Mt(Ve[e], t);
	}
	function Xi(e, t) {
		e.fill = z(e.fill || null), e.dir = I(e.dir, -1), t ??= Ve.length, Ve.splice(t, 0, e);
	}
	function Zi(e) {
		e == null ? Ve.length = 0 : Ve.splice(e, 1);
	}
	O.addBand = Xi, O.setBand = Yi, O.delBand = Zi;
	function Qi(e, t) {
		P[e].alpha = t, Pt && Wn[e] != null && (Wn[e].style.opacity = t), Nt && Bt[e] && (Bt[e].style.opacity = t);
	}
	let $i, ea, ta, na = { focus: !0 };
	function ra(e) {
		if (e != ta) {
			let t = e == null, n = Vn.alpha != 1;
			P.forEach((r, i) => {
				if (k == 1 || i > 0) {
					let a = t || i == 0 || i == e;
					r._focus = t ? null : a, n && Qi(i, a ? 1 : Vn.alpha);
				}
			}), ta = e, n && K();
		}
	}
	Nt && Hn && Zt(ae, It, (e) => {
		V._lock || (zn(e), ta != null && Ji(null, na, !0, Ma.setSeries));
	});
	function ia(e, t, n) {
		let r = F[t];
		n && (e = e / j - (r.ori == 1 ? an : rn));
		let i = H;
		r.ori == 1 && (i = U, e = i - e), r.dir == -1 && (e = i - e);
		let a = r._min, o = r._max, s = e / i, c = a + (o - a) * s, l = r.distr;
		return l == 3 ? Ze(10, c) : l == 4 ? et(c, r.asinh) : l == 100 ? r.bwd(c) : c;
	}
	function aa(e, t) {
		return Oe(ia(e, L, t), D[0], G, Tr);
	}
	O.valToIdx = (e) => Oe(e, D[0]), O.posToIdx = aa, O.posToVal = ia, O.valToPos = (e, t, n) => F[t].ori == 0 ? A(e, F[t], n ? fn : H, n ? un : 0) : fe(e, F[t], n ? W : U, n ? dn : 0), O.setCursor = (e, t, n) => {
		q = e.left, J = e.top, pa(null, t, n);
	};
	function oa(e, t) {
		M(Wi, T, Y.left = e), M(Wi, x, Y.width = t);
	}
	function sa(e, t) {
		M(Wi, C, Y.top = e), M(Wi, S, Y.height = t);
	}
	let ca = R.ori == 0 ? oa : sa, la = R.ori == 1 ? oa : sa;
	function ua() {
		if (Nt && At.live) for (let e = +(k == 2); e < P.length; e++) {
			if (e == 0 && Ut) continue;
			let t = At.values[e], n = 0;
			for (let r in t) Vt[e][n++].firstChild.nodeValue = t[r];
		}
	}
	function da(e, t) {
		if (e != null && (e.idxs ? e.idxs.forEach((e, t) => {
			kt[t] = e;
		}) : Tt(e.idx) || kt.fill(e.idx), At.idx = kt[0]), Nt && At.live) {
			for (let e = 0; e < P.length; e++) (e > 0 || k == 1 && !Ut) && fa(e, kt[e]);
			ua();
		}
		jn = !1, t !== !1 && Aa("setLegend");
	}
	O.setLegend = da;
	function fa(e, t) {
		let n = P[e], r = e == 0 && rt == 2 ? Dr : D[e], i;
		Ut ? i = n.values(O, e, t) ?? Wt : (i = n.value(O, t == null ? null : r[t], e, t), i = i == null ? Wt : { _: i }), At.values[e] = i;
	}
	function pa(e, t, n) {
		Ri = q, zi = J, [q, J] = V.move(O, q, J), V.left = q, V.top = J, Pt && (Mi && be(Mi, qe(q), 0, H, U), Ni && be(Ni, 0, qe(J), H, U));
		let r, i = G > Tr;
		$i = nt, ea = null;
		let a = R.ori == 0 ? H : U, o = R.ori == 1 ? H : U;
		if (q < 0 || Cr == 0 || i) {
			r = V.idx = null;
			for (let e = 0; e < P.length; e++) {
				let t = Wn[e];
				t != null && be(t, -10, -10, H, U);
			}
			Hn && Ji(null, na, !0, e == null && Ma.setSeries), At.live && (kt.fill(r), jn = !0);
		} else {
			let e, t, n;
			k == 1 && (e = R.ori == 0 ? q : J, t = ia(e, L), r = V.idx = Oe(t, D[0], G, Tr), n = ot(D[0][r], R, a, 0));
			let i = -10, s = -10, c = 0, l = 0, u = !0, d = "", f = "";
			for (let e = +(k == 2); e < P.length; e++) {
				let p = P[e], m = kt[e], h = m == null ? null : k == 1 ? D[e][m] : D[e][1][m], g = V.dataIdx(O, e, r, t), _ = g == null ? null : k == 1 ? D[e][g] : D[e][1][g];
				if (jn = jn || _ != h || g != m, kt[e] = g, e > 0 && p.show) {
					let t = g == null ? -10 : g == r ? n : ot(k == 1 ? D[0][g] : D[e][0][g], R, a, 0), m = _ == null ? -10 : st(_, k == 1 ? F[p.scale] : F[p.facets[1].scale], o, 0);
					if (Hn && _ != null) {
						let t = R.ori == 1 ? q : J, n = Ge(Vn.dist(O, e, g, m, t));
						if (n < $i) {
							let r = Vn.bias;
							if (r != 0) {
								let i = ia(t, p.scale), a = _ >= 0 ? 1 : -1, o = i >= 0 ? 1 : -1;
								o == a && (o == 1 ? r == 1 ? _ >= i : _ <= i : r == 1 ? _ <= i : _ >= i) && ($i = n, ea = e);
							} else $i = n, ea = e;
						}
					}
					if (jn || Un) {
						let n, r;
						R.ori == 0 ? (n = t, r = m) : (n = m, r = t);
						let a, o, p, h, g, _, v = !0, y = Bn.bbox;
						if (y != null) {
							v = !1;
							let t = y(O, e);
							p = t.left, h = t.top, a = t.width, o = t.height;
						} else p = n, h = r, a = o = Bn.size(O, e);
						if (_ = Bn.fill(O, e), g = Bn.stroke(O, e), Un) e == ea && $i <= Vn.prox && (i = p, s = h, c = a, l = o, u = v, d = _, f = g);
						else {
							let t = Wn[e];
							t != null && (Gn[e] = p, er[e] = h, Ce(t, a, o, v), Se(t, _, g), be(t, Je(p), Je(h), H, U));
						}
					}
				}
			}
			if (Un) {
				let e = Vn.prox;
				if (jn || (ta == null ? $i <= e : $i > e || ea != ta)) {
					let e = Wn[0];
					e != null && (Gn[0] = i, er[0] = s, Ce(e, c, l, u), Se(e, d, f), be(e, Je(i), Je(s), H, U));
				}
			}
		}
		if (Y.show && Bi) {
			if (e != null) {
				let [t, n] = Ma.scales, [r, i] = Ma.match, [s, c] = e.cursor.sync.scales, l = e.cursor.drag;
				if (Hi = l._x, Ui = l._y, Hi || Ui) {
					let { left: l, top: u, width: d, height: f } = e.select, p = e.scales[s].ori, m = e.posToVal, h, g, _, v, y, b = t != null && r(t, s), x = n != null && i(n, c);
					b && Hi ? (p == 0 ? (h = l, g = d) : (h = u, g = f), _ = F[t], v = ot(m(h, s), _, a, 0), y = ot(m(h + g, s), _, a, 0), ca(Ye(v, y), Ge(y - v))) : ca(0, a), x && Ui ? (p == 1 ? (h = l, g = d) : (h = u, g = f), _ = F[n], v = st(m(h, c), _, o, 0), y = st(m(h + g, c), _, o, 0), la(Ye(v, y), Ge(y - v))) : la(0, o);
				} else X();
			} else {
				let e = Ge(Ri - Pi), t = Ge(zi - Fi);
				if (R.ori == 1) {
					let n = e;
					e = t, t = n;
				}
				Hi = Vi.x && e >= Vi.dist, Ui = Vi.y && t >= Vi.dist;
				let n = Vi.uni;
				n == null ? Vi.x && Vi.y && (Hi || Ui) && (Hi = Ui = !0) : Hi && Ui && (Hi = e >= n, Ui = t >= n, !Hi && !Ui && (t > e ? Ui = !0 : Hi = !0));
				let r, i;
				Hi && (R.ori == 0 ? (r = Ii, i = q) : (r = Li, i = J), ca(Ye(r, i), Ge(i - r)), Ui || la(0, o)), Ui && (R.ori == 1 ? (r = Ii, i = q) : (r = Li, i = J), la(Ye(r, i), Ge(i - r)), Hi || ca(0, a)), !Hi && !Ui && (ca(0, 0), la(0, 0));
			}
		}
		if (Vi._x = Hi, Vi._y = Ui, e == null) {
			if (n) {
				if (Na != null) {
					let [e, t] = Ma.scales;
					Ma.values[0] = e == null ? null : ia(R.ori == 0 ? q : J, e), Ma.values[1] = t == null ? null : ia(R.ori == 1 ? q : J, t);
				}
				Fa(te, O, q, J, H, U, r);
			}
			if (Hn) {
				let e = n && Ma.setSeries, t = Vn.prox;
				ta == null ? $i <= t && Ji(ea, na, !0, e) : $i > t ? Ji(null, na, !0, e) : ea != ta && Ji(ea, na, !0, e);
			}
		}
		jn && (At.idx = r, da()), t !== !1 && Aa("setCursor");
	}
	let ma = null;
	Object.defineProperty(O, "rect", { get() {
		return ma ?? ha(!1), ma;
	} });
	function ha(e = !1) {
		e ? ma = null : (ma = ke.getBoundingClientRect(), Aa("syncRect", ma));
	}
	function ga(e, t, n, r, i, a, o) {
		V._lock || Bi && e != null && e.movementX == 0 && e.movementY == 0 || (_a(e, t, n, r, i, a, o, !1, e != null), e == null ? pa(t, !0, !1) : pa(null, !0, !0));
	}
	function _a(e, t, n, r, i, a, o, s, c) {
		if (ma ?? ha(!1), zn(e), e != null) n = e.clientX - ma.left, r = e.clientY - ma.top;
		else {
			if (n < 0 || r < 0) {
				q = -10, J = -10;
				return;
			}
			let [e, o] = Ma.scales, s = t.cursor.sync, [c, l] = s.values, [u, d] = s.scales, [f, p] = Ma.match, m = t.axes[0].side % 2 == 1, h = R.ori == 0 ? H : U, g = R.ori == 1 ? H : U, _ = m ? a : i, v = m ? i : a, y = m ? r : n, b = m ? n : r;
			if (n = u == null ? y / _ * h : f(e, u) ? pe(c, F[e], h, 0) : -10, r = d == null ? b / v * g : p(o, d) ? pe(l, F[o], g, 0) : -10, R.ori == 1) {
				let e = n;
				n = r, r = e;
			}
		}
		c && (t == null || t.cursor.event.type == te) && ((n <= 1 || n >= H - 1) && (n = mt(n, H)), (r <= 1 || r >= U - 1) && (r = mt(r, U))), s ? (Pi = n, Fi = r, [Ii, Li] = V.move(O, n, r)) : (q = n, J = r);
	}
	let va = {
		width: 0,
		height: 0,
		left: 0,
		top: 0
	};
	function X() {
		Gi(va, !1);
	}
	let ya, ba, xa, Sa;
	function Ca(e, t, n, r, i, a, o) {
		Bi = !0, Hi = Ui = Vi._x = Vi._y = !1, _a(e, t, n, r, i, a, o, !0, !1), e != null && (Zt(re, ue, wa, !1), Fa(ne, O, Ii, Li, H, U, null));
		let { left: s, top: c, width: l, height: u } = Y;
		ya = s, ba = c, xa = l, Sa = u;
	}
	function wa(e, t, n, r, i, a, o) {
		Bi = Vi._x = Vi._y = !1, _a(e, t, n, r, i, a, o, !1, !0);
		let { left: s, top: c, width: l, height: u } = Y, d = l > 0 || u > 0, f = ya != s || ba != c || xa != l || Sa != u;
		if (d && f && Gi(Y), Vi.setScale && d && f) {
			let e = s, t = l, n = c, r = u;
			if (R.ori == 1 && (e = c, t = u, n = s, r = l), Hi && qi(L, ia(e, L), ia(e + t, L)), Ui) for (let e in F) {
				let t = F[e];
				e != L && t.from == null && t.min != nt && qi(e, ia(n + r, e), ia(n, e));
			}
			X();
		} else V.lock && (V._lock = !V._lock, pa(t, !0, e != null));
		e != null && (Qt(re, ue), Fa(re, O, q, J, H, U, null));
	}
	function Ta(e, t, n, r, i, a, o) {
		if (V._lock) return;
		zn(e);
		let s = Bi;
		if (Bi) {
			let e = !0, t = !0, n, r;
			R.ori == 0 ? (n = Hi, r = Ui) : (n = Ui, r = Hi), n && r && (e = q <= 10 || q >= H - 10, t = J <= 10 || J >= U - 10), n && e && (q = q < Ii ? 0 : H), r && t && (J = J < Li ? 0 : U), pa(null, !0, !0), Bi = !1;
		}
		q = -10, J = -10, kt.fill(null), pa(null, !0, !0), s && (Bi = s);
	}
	function Ea(e, t, n, r, i, a, o) {
		V._lock || (zn(e), jr(), X(), e != null && Fa(oe, O, q, J, H, U, null));
	}
	function Da() {
		Re.forEach(pi), Mn(O.width, O.height, !0);
	}
	Ee(ce, de, Da);
	let Oa = {};
	Oa.mousedown = Ca, Oa.mousemove = ga, Oa.mouseup = wa, Oa.dblclick = Ea, Oa.setSeries = (e, t, n, r) => {
		let i = Ma.match[2];
		n = i(O, t, n), n != -1 && Ji(n, r, !0, !1);
	}, Pt && (Zt(ne, ke, Ca), Zt(te, ke, ga), Zt(ie, ke, (e) => {
		zn(e), ha(!1);
	}), Zt(ae, ke, Ta), Zt(oe, ke, Ea), Zr.add(O), O.syncRect = ha);
	let ka = O.hooks = e.hooks || {};
	function Aa(e, t, n) {
		wi ? Ti.push([
			e,
			t,
			n
		]) : e in ka && ka[e].forEach((e) => {
			e.call(null, O, t, n);
		});
	}
	(e.plugins || []).forEach((e) => {
		for (let t in e.hooks) ka[t] = (ka[t] || []).concat(e.hooks[t]);
	});
	let ja = (e, t, n) => n, Ma = Mt({
		key: null,
		setSeries: !1,
		filters: {
			pub: ut,
			sub: ut
		},
		scales: [L, P[1] ? P[1].scale : null],
		match: [
			dt,
			dt,
			ja
		],
		values: [null, null]
	}, V.sync);
	Ma.match.length == 2 && Ma.match.push(ja), V.sync = Ma;
	let Na = Ma.key, Pa = yr(Na);
	function Fa(e, t, n, r, i, a, o) {
		Ma.filters.pub(e, t, n, r, i, a, o) && Pa.pub(e, t, n, r, i, a, o);
	}
	Pa.sub(O);
	function Ia(e, t, n, r, i, a, o) {
		Ma.filters.sub(e, t, n, r, i, a, o) && Oa[e](null, t, n, r, i, a, o);
	}
	O.pub = Ia;
	function La() {
		Pa.unsub(O), Zr.delete(O), Xt.clear(), De(ce, de, Da), ye.remove(), It?.remove(), Aa("destroy");
	}
	O.destroy = La;
	function Ra() {
		Aa("init", e, D), Ar(D || e.data, !1), ft[L] ? ki(L, ft[L]) : jr(), An = Y.show && (Y.width > 0 || Y.height > 0), On = jn = !0, Mn(e.width, e.height);
	}
	return P.forEach(nr), Re.forEach(dr), se ? se instanceof HTMLElement ? (se.appendChild(ye), Ra()) : se(O, Ra) : Ra(), O;
}
mi.assign = Mt, mi.fmtNum = He, mi.rangeNum = ze, mi.rangeLog = Pe, mi.rangeAsinh = Fe, mi.orient = Sr, mi.pxRatio = j, mi.join = It, mi.fmtDate = Yt, mi.tzDate = Zt, mi.sync = yr;
{
	mi.addGap = Er, mi.clipGaps = Tr;
	let e = mi.paths = { points: Br };
	e.linear = Wr, e.stepped = Gr, e.bars = qr, e.spline = Yr;
}
//#endregion
//#region src/format.ts
var hi = {
	"-": "⁻",
	0: "⁰",
	1: "¹",
	2: "²",
	3: "³",
	4: "⁴",
	5: "⁵",
	6: "⁶",
	7: "⁷",
	8: "⁸",
	9: "⁹"
};
function gi(e) {
	return `10${[...String(e)].map((e) => hi[e]).join("")}`;
}
function _i(e, t = 3) {
	if (e === 0) return "0";
	if (!Number.isFinite(e)) return Number.isNaN(e) ? "–" : e > 0 ? "∞" : "−∞";
	let n = Math.abs(e);
	if (n >= 1e5 || n < .001) {
		let [n = "", r = "0"] = e.toExponential(t - 1).split("e"), i = String(Number(n)).replace("-", "−"), a = gi(Number(r));
		return i === "1" ? a : `${i}×${a}`;
	}
	return String(Number(e.toPrecision(t))).replace("-", "−");
}
function vi(e, t) {
	if (e === 0) return "0";
	let n = Math.abs(e);
	if (n >= 1e5 || n < .001) return _i(e, 3);
	let r = Math.max(0, -Math.floor(Math.log10(Math.abs(t)) + 1e-9));
	return e.toFixed(Math.min(r, 8)).replace("-", "−");
}
//#endregion
//#region src/axis.ts
function yi(e, t, n) {
	let r = (t - e) / n, i = 10 ** Math.floor(Math.log10(r)), a = i * ([
		1,
		2,
		5
	].find((e) => e * i >= r) ?? 10), o = [];
	for (let n = Math.ceil(e / a - 1e-9); n * a <= t + 1e-9 * a; n++) o.push({
		at: n * a || 0,
		text: vi(n * a, a)
	});
	return o;
}
function bi(e, t, n) {
	let [r, i] = [Math.ceil(Math.log10(e) - 1e-9), Math.floor(Math.log10(t) + 1e-9)];
	if (i - r >= 1) {
		let e = Math.max(1, Math.ceil((i - r) / n)), t = [];
		for (let n = r; n <= i; n++) (n - i) % e === 0 && t.push({
			at: 10 ** n,
			text: gi(n)
		});
		return t;
	}
	let a = [];
	for (let n = r - 1; n <= i + 1; n++) for (let r of [
		1,
		2,
		5
	]) {
		let i = r * 10 ** n;
		i >= e * (1 - 1e-9) && i <= t * (1 + 1e-9) && a.push({
			at: i,
			text: vi(i, 10 ** n)
		});
	}
	return a;
}
function xi(e, t, n) {
	if (e.range) return [e.range[0], e.range[1]];
	let [r, i] = [Infinity, -Infinity];
	for (let n of t) !Number.isFinite(n) || e.log && n <= 0 || (n < r && (r = n), n > i && (i = n));
	if (r > i) return e.log ? [.1, 1] : [0, 1];
	if (e.log) {
		if (r === i) return [r / 2, i * 2];
		let e = (i / r) ** n;
		return [r / e, i * e];
	}
	if (r === i) {
		let e = Math.abs(r) * .1 || 1;
		return [r - e, i + e];
	}
	let a = n * (i - r);
	return [r === 0 ? 0 : r - a, i === 0 ? 0 : i + a];
}
function Si(e, [t, n], r) {
	let i = e.log ?? !1, [a, o] = i ? [Math.log(t), Math.log(n)] : [t, n];
	return {
		log: i,
		low: t,
		high: n,
		ticks: i ? bi(t, n, r) : yi(t, n, r),
		place: (e) => ((i ? Math.log(e) : e) - a) / (o - a)
	};
}
//#endregion
//#region src/draw/frame.ts
var Ci = .9, wi = 11;
function Ti(e) {
	return Math.max(wi, Math.round(e * Ci));
}
function Ei(e) {
	return e.replace(/[&<>"]/g, (e) => `&#${e.charCodeAt(0)};`);
}
var K = (e) => Math.round(e * 100) / 100;
function Di(e, t, n, r) {
	return `<text x="${K(e)}" y="${K(t)}" ${r}>${Ei(n)}</text>`;
}
function Oi(e, t, n, r) {
	return Di(e, t, n, `${r} transform="rotate(-90 ${K(e)} ${K(t)})"`);
}
function ki(e, t) {
	return e.length * t * .55;
}
function Ai(e, t) {
	return (e.colour ?? t) % 7;
}
function ji(e, t) {
	return e.colour === void 0 ? t.quiet : t.lines[e.colour % 7];
}
function Mi(e, t) {
	return t * 2.3 + Math.max(...e.map((e) => ki(e.text, t)), t);
}
function Ni(e, t, n, r, { letter: i }, a) {
	let o = [], [s, c] = [e.right - e.left, e.bottom - e.top], l = `fill="${a.quiet}" font-size="${Ti(i)}"`;
	for (let n of t.ticks) {
		let r = K(e.left + t.place(n.at) * s);
		o.push(`<path d="M${r} ${e.top}V${e.bottom}" stroke="${a.grid}"/>`), o.push(Di(r, e.bottom + i * 1.25, n.text, `text-anchor="middle" ${l}`));
	}
	for (let t of n.ticks) {
		let r = K(e.bottom - n.place(t.at) * c);
		o.push(`<path d="M${e.left} ${r}H${e.right}" stroke="${a.grid}"/>`), o.push(Di(e.left - i * .5, r + i * .32, t.text, `text-anchor="end" ${l}`));
	}
	let u = `text-anchor="middle" fill="${a.quiet}"`;
	return o.push(Di((e.left + e.right) / 2, e.bottom + i * 2.7, r.x.label, u)), o.push(Oi(i * 1.1, (e.top + e.bottom) / 2, r.y.label, u)), o.join("");
}
function Pi(e, t, n, r, { letter: i }, a) {
	let o = [], s = 0;
	for (let c of e ?? []) {
		let e = (c.axis === "x" ? n : r).place(c.at);
		if (!(e >= 0 && e <= 1)) continue;
		let l = `stroke="${ji(c, a)}" stroke-dasharray="3 3" fill="none"`, u = `fill="${a.quiet}" font-size="${Ti(i)}" paint-order="stroke" stroke="${a.paper}" stroke-width="3" stroke-linejoin="round"`;
		if (c.axis === "x") {
			let n = K(t.left + e * (t.right - t.left)), r = e > .6;
			o.push(`<path d="M${n} ${t.top}V${t.bottom}" ${l}/>`), o.push(Di(n + (r ? -5 : 5), t.top + i * (1 + 1.2 * s++), c.label, `${u} text-anchor="${r ? "end" : "start"}"`));
		} else {
			let n = K(t.bottom - e * (t.bottom - t.top));
			o.push(`<path d="M${t.left} ${n}H${t.right}" ${l}/>`);
			let r = c.side === "left", a = n - t.top < 1.5 * i;
			o.push(Di(r ? t.left + 4 : t.right - 4, a ? n + 1.2 * i : n - 6, c.label, `${u} text-anchor="${r ? "start" : "end"}"`));
		}
	}
	return o.join("");
}
//#endregion
//#region src/palette.ts
var Fi = {
	lines: [
		"#0072B2",
		"#D55E00",
		"#009E73",
		"#CC79A7",
		"#E69F00",
		"#56B4E9",
		"#000000"
	],
	ink: "#16202c",
	quiet: "#53606f",
	grid: "#e3e8ee",
	paper: "#ffffff",
	low: "#0072B2",
	middle: "#f7f7f5",
	high: "#D55E00"
}, Ii = {
	lines: [
		"#4AA3E0",
		"#F27A2E",
		"#22C596",
		"#E6A0C9",
		"#F2B63C",
		"#A5DCFF",
		"#F4F6F8"
	],
	ink: "#e9eef4",
	quiet: "#a3b0bf",
	grid: "#2b3746",
	paper: "#151d27",
	low: "#4AA3E0",
	middle: "#1d2733",
	high: "#F27A2E"
}, Li = {
	trained: {
		width: 7,
		opacity: .3
	},
	predicted: {
		width: 1.8,
		opacity: 1
	},
	reference: {
		width: 1.2,
		opacity: .85
	}
};
function Ri(e) {
	let { width: t, opacity: n } = Li[e.role ?? "predicted"];
	return {
		width: t,
		opacity: 1 - (1 - n) ** (1 / (e.among ?? 1))
	};
}
var zi = {
	solid: [],
	dash: [4, 2.4],
	dot: [1.1, 1.8],
	dashdot: [
		5,
		2,
		1.1,
		2
	]
};
function q(e, t, n) {
	let r = (e, t) => Number.parseInt(e.slice(1 + 2 * t, 3 + 2 * t), 16);
	return `#${[
		0,
		1,
		2
	].map((i) => Math.round(r(e, i) + n * (r(t, i) - r(e, i)))).map((e) => e.toString(16).padStart(2, "0")).join("")}`;
}
function J(e, t) {
	let n = Math.max(-1, Math.min(1, Number.isFinite(t) ? t : 0));
	return n < 0 ? q(e.middle, e.low, -n) : q(e.middle, e.high, n);
}
//#endregion
//#region src/draw/heat.ts
var Bi = 5, Vi = 1.25, Hi = 32;
function Ui(e, t, n, r) {
	let i = Ti(r), a = (e) => Math.max(0, ...e.map((e) => ki(e, i))), [o, s] = [e.matrix.length || 1, e.matrix[0]?.length || 1], c = a(e.rows) + r * .8, l = a(e.columns), u = Math.max(2, (t - c - r * Bi) / s), d = l + r * .4 < u, f = d ? r * 1.8 : l + r * .9;
	return {
		left: c,
		level: d,
		below: f,
		width: u,
		height: Math.max(r * Vi, (n - f) / o)
	};
}
function Y(e, t, n, r) {
	let { height: i, below: a } = Ui(e, t, n, r);
	return Math.ceil(e.matrix.length * i + a + r * .7);
}
function Wi(e, { width: t, height: n, letter: r }, i, a) {
	let { left: o, width: s, height: c, level: l } = Ui(e, t, n - a, r), [u, d] = [e.matrix.length, e.matrix[0]?.length ?? 0], f = e.bound ?? (Math.max(0, ...e.matrix.flat().map(Math.abs).filter(Number.isFinite)) || 1), p = Ti(r), m = `fill="${i.quiet}" font-size="${p}"`, h = [];
	e.matrix.forEach((t, n) => t.forEach((t, r) => {
		let l = Ei(`${e.rows[n] ?? n + 1}, ${e.columns[r] ?? r + 1}: ${_i(t)}`);
		h.push(`<rect x="${K(o + r * s)}" y="${K(a + n * c)}" width="${K(s + .3)}" height="${K(c + .3)}" fill="${J(i, t / f)}"><title>${l}</title></rect>`);
	}));
	let g = (e) => Math.max(1, Math.ceil(p * 1.1 / e));
	return e.rows.forEach((e, t) => {
		t % g(c) === 0 && h.push(Di(o - 5, a + (t + .5) * c + p * .35, e, `${m} text-anchor="end"`));
	}), e.columns.forEach((e, t) => {
		let [n, r] = [o + (t + .5) * s, a + u * c];
		l ? h.push(Di(n, r + p * 1.3, e, `${m} text-anchor="middle"`)) : t % g(s) === 0 && h.push(Oi(n + p * .35, r + 6, e, `${m} text-anchor="end"`));
	}), h.push(`<rect x="${K(o)}" y="${a}" width="${K(d * s)}" height="${K(u * c)}" fill="none" stroke="${i.grid}"/>`), h.push(Gi(o + d * s + r, a, u * c, f, e.label, r, i)), h.join("");
}
function Gi(e, t, n, r, i, a, o) {
	let s = Ti(a), c = [];
	for (let r = 0; r < Hi; r++) {
		let i = J(o, 1 - 2 * r / 31);
		c.push(`<rect x="${K(e)}" y="${K(t + r * n / Hi)}" width="${K(a * .8)}" height="${K(n / Hi + .4)}" fill="${i}"/>`);
	}
	let l = [
		[s * .8, r],
		[n / 2 + s * .35, 0],
		[n, -r]
	];
	for (let [n, r] of l) c.push(Di(e + a * 1.1, t + n, _i(r, 2), `fill="${o.quiet}" font-size="${s}"`));
	let [u, d] = ki(i, a) > n ? [t + n, "start"] : [t + n / 2, "middle"];
	return c.push(Oi(e + a * 3.7, u, i, `fill="${o.quiet}" text-anchor="${d}"`)), c.join("");
}
//#endregion
//#region src/draw/lines.ts
var Ki = .04;
function qi(e) {
	return e.lines.map((e, t) => ({
		line: e,
		colour: Ai(e, t)
	})).filter(({ line: e }) => !e.quiet);
}
function Ji(e) {
	let t = e.marks ?? [], n = e.x.range?.[1] ?? e.x.values[e.x.values.length - 1];
	return e.moment === void 0 || e.moment >= n * (1 - 1e-9) ? t : [...t, {
		axis: "x",
		at: e.moment,
		label: "moment"
	}];
}
function Yi(e) {
	let t = e.lines.flatMap((e) => e.x ? [e.x] : []), n = e.lines.some((e) => !e.x) ? [e.x.values, ...t] : t;
	return {
		x: xi(e.x, n.flat(), 0),
		y: xi(e.y, e.lines.flatMap((e) => e.y), Ki)
	};
}
function Xi(e, t, n, r, i) {
	let a = e.x ?? t.x.values, [o, s] = ["", !1];
	return e.y.forEach((e, t) => {
		let [c, l] = [r.place(a[t]), i.place(e)], u = Number.isFinite(c) && Number.isFinite(l);
		u && (o += `${s ? "L" : "M"}${K(n.left + c * (n.right - n.left))} ${K(n.bottom - l * (n.bottom - n.top))}`), s = u;
	}), o;
}
function Zi(e, t) {
	let { width: n, opacity: r } = Ri(e), i = zi[e.dash ?? "solid"].map((e) => K(e * n)).join(" "), a = r === 1 ? "" : ` stroke-opacity="${r}"`;
	return `stroke="${t}" stroke-width="${n}" fill="none"${i && ` stroke-dasharray="${i}"`}${a}`;
}
function Qi(e, t, n, { width: r, letter: i }, a) {
	let o = qi(e), s = i * 4 + Math.max(0, ...o.map(({ line: e }) => ki(e.label, i))), c = Math.max(1, Math.floor((r - t) / s));
	return {
		drawn: o.map(({ line: e, colour: r }, o) => {
			let [l, u] = [t + o % c * s, n + i * (.5 + 1.5 * Math.floor(o / c))];
			return `<path d="M${K(l)} ${K(u)}h${i * 2}" ${Zi({
				...e,
				among: 1
			}, a.lines[r])}/>` + Di(l + i * 2.5, u + i * .35, e.label, `fill="${a.ink}"`);
		}).join(""),
		height: Math.ceil(o.length / c) * i * 1.5
	};
}
function $i(e, t, n, r) {
	let i = Yi(e), [a, o] = [Si(e.x, i.x, 6), Si(e.y, i.y, 5)], s = Mi(o.ticks, t.letter), c = Qi(e, s, r, t, n), l = {
		left: s,
		top: r + c.height,
		right: t.width - t.letter,
		bottom: t.height - t.letter * 3.3
	}, u = `clip-${e.id}`, d = e.lines.map((t, r) => `<path d="${Xi(t, e, l, a, o)}" ${Zi(t, n.lines[Ai(t, r)])} stroke-linejoin="round"/>`);
	return `<clipPath id="${u}"><rect x="${l.left}" y="${l.top - 2}" width="${l.right - l.left}" height="${l.bottom - l.top + 4}"/></clipPath>${Ni(l, a, o, e, t, n)}<g clip-path="url(#${u})">${d.join("")}</g>${Pi(Ji(e), l, a, o, t, n)}${c.drawn}`;
}
//#endregion
//#region src/draw/scatter.ts
var ea = .08, ta = (e, t) => e.left < t.right && t.left < e.right && e.top < t.bottom && t.top < e.bottom;
function na(e, t, n, r, i, a) {
	for (let o of [
		1,
		2.2,
		3.6,
		5
	]) for (let [s, c] of [
		[1, 0],
		[-1, 0],
		[0, -1],
		[0, 1],
		[1, -1],
		[1, 1],
		[-1, -1],
		[-1, 1]
	]) {
		let l = e + s * r * .7 * o + (s < 0 ? -n : s === 0 ? -n / 2 : 0), u = t + c * r * 1.05 * o, d = {
			left: l,
			right: l + n,
			top: u - r * .55,
			bottom: u + r * .55
		};
		if (d.left >= i.left && d.right <= i.right && d.top >= i.top && d.bottom <= i.bottom && !a.some((e) => ta(d, e))) return {
			...d,
			away: o > 1
		};
	}
	return {
		left: e + r * .7,
		right: e + r * .7 + n,
		top: t - r * .5,
		bottom: t + r * .5,
		away: !1
	};
}
function ra(e, t, n, r) {
	let { letter: i } = t, a = Ti(i), o = e.points.flatMap((e) => e.trail ?? []), s = xi(e.x, [...e.points.map((e) => e.x), ...o.map(([e]) => e)], ea), c = xi(e.y, [...e.points.map((e) => e.y), ...o.map(([, e]) => e)], ea), l = t.height - i * 3.3, u = {
		left: Mi(Si(e.y, c, 5).ticks, i),
		top: r,
		right: t.width - i,
		bottom: l
	};
	e.equal && ([s, c] = ia(s, c, (u.right - u.left) / (u.bottom - u.top)));
	let [d, f] = [Si(e.x, s, 5), Si(e.y, c, 5)], p = (e, t) => [K(u.left + d.place(e) * (u.right - u.left)), K(u.bottom - f.place(t) * (u.bottom - u.top))], m = e.points.map((e) => p(e.x, e.y)), h = i * .36, g = e.points.flatMap((e, t) => e.label ? [{
		left: m[t][0] - h,
		right: m[t][0] + h,
		top: m[t][1] - h,
		bottom: m[t][1] + h
	}] : []), _ = e.points.map((e, t) => {
		let r = n.lines[Ai(e, t)], [i, a] = m[t], o = (e.trail ?? []).map(([e, t]) => p(e, t).join(" ")), s = o.length ? `<path d="M${o.join("L")}L${i} ${a}" stroke="${r}" stroke-opacity="0.5" stroke-width="1.6" fill="none"/>` : "", c = e.ring ? `fill="${r}" fill-opacity="0.28"` : `fill="${r}"`;
		return `${s}<circle cx="${i}" cy="${a}" r="${K(e.ring ? 2 * h : h)}" ${c}><title>${Ei(`${e.label}: ${_i(e.x)}, ${_i(e.y)}`)}</title></circle>`;
	}), v = e.points.map((e, t) => {
		if (!e.label) return "";
		let [r, i] = m[t], o = na(r, i, ki(e.label, a), a, u, g);
		g.push(o);
		let s = (o.top + o.bottom) / 2, c = r < o.left ? o.left - 2 : r > o.right ? o.right + 2 : (o.left + o.right) / 2;
		return (o.away ? `<path d="M${r} ${i}L${K(c)} ${K(s)}" stroke="${n.quiet}" stroke-width="0.7"/>` : "") + Di((o.left + o.right) / 2, s + a * .35, e.label, `fill="${n.ink}" font-size="${a}" text-anchor="middle"`);
	});
	return `${Ni(u, d, f, e, t, n)}${Pi(e.marks, u, d, f, t, n)}${_.join("")}${v.join("")}`;
}
function ia(e, t, n) {
	let [r, i] = [e[1] - e[0], t[1] - t[0]], a = ([e, t], n) => [(e + t - n) / 2, (e + t + n) / 2];
	return r / i < n ? [a(e, i * n), t] : [e, a(t, r / n)];
}
//#endregion
//#region src/draw/index.ts
function aa(e, t, n, r) {
	let { width: i, height: a, letter: o } = t, s = o * (r ? 2.4 : .7), c = r ? `<rect width="100%" height="100%" fill="${n.paper}"/>${Di(o * .5, o * 1.4, e.title, `font-weight="600" font-size="${K(o * 1.1)}" fill="${n.ink}"`)}` : "", l = {
		lines: $i,
		heat: Wi,
		scatter: ra
	}[e.kind];
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${i}" height="${a}" viewBox="0 0 ${i} ${a}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="${o}">${c}${l(e, t, n, s)}</svg>`;
}
//#endregion
//#region src/save.ts
var oa = {
	width: 720,
	height: 460,
	letter: 14
}, sa = 2;
function ca(e) {
	let t = typeof e == "number" && !Number.isFinite(e) ? "" : String(e);
	return /[",\n]/.test(t) ? `"${t.replaceAll("\"", "\"\"")}"` : t;
}
function la(e) {
	return `${e.map((e) => e.map(ca).join(",")).join("\r\n")}\r\n`;
}
function ua(e) {
	if (e.kind === "heat") return la([["", ...e.columns], ...e.matrix.map((t, n) => [e.rows[n] ?? n, ...t])]);
	if (e.kind === "scatter") {
		let t = e.points.flatMap((e) => [...e.trail ?? [], [e.x, e.y]].map(([t, n], r) => [
			e.label,
			r,
			t,
			n
		]));
		return la([[
			"point",
			"step",
			e.x.label,
			e.y.label
		], ...t]);
	}
	let t = e.lines.map((t) => new Map((t.x ?? e.x.values).map((e, n) => [e, t.y[n] ?? NaN]))), n = [...new Set(t.flatMap((e) => [...e.keys()]))].sort((e, t) => e - t);
	return la([[e.x.label, ...e.lines.map((e) => e.label)], ...n.map((e) => [e, ...t.map((t) => t.get(e) ?? NaN)])]);
}
function da(e) {
	return e.kind === "heat" ? {
		...oa,
		height: Y(e, oa.width, oa.height, oa.letter) + 2 * oa.letter
	} : oa;
}
function fa(e) {
	return aa(e, da(e), Fi, !0);
}
async function pa(e) {
	let t = new Image();
	t.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(fa(e))}`, await t.decode();
	let n = document.createElement("canvas");
	return [n.width, n.height] = [oa.width * sa, da(e).height * sa], n.getContext("2d").drawImage(t, 0, 0, n.width, n.height), new Promise((e, t) => n.toBlob((n) => n ? e(n) : t(/* @__PURE__ */ Error("the browser made no PNG")), "image/png"));
}
function ma(e, t) {
	let n = document.createElement("a");
	n.href = URL.createObjectURL(e), n.download = t, n.click(), setTimeout(() => URL.revokeObjectURL(n.href), 1e4);
}
function ha(e, t) {
	let n = [
		["SVG", () => new Blob([fa(e())], { type: "image/svg+xml" })],
		["PNG", () => pa(e())],
		["CSV", () => new Blob([ua(e())], { type: "text/csv" })]
	], r = document.createElement("details");
	r.className = "save";
	let i = document.createElement("summary");
	i.textContent = "Save", r.append(i);
	for (let [i, a] of n) {
		let n = document.createElement("button");
		n.type = "button", n.textContent = i, n.setAttribute("aria-label", `Save “${e().title}” as ${i}`), n.addEventListener("click", async () => {
			ma(await a(), `festina-${t}-${e().id}.${i.toLowerCase()}`), r.open = !1;
		}), r.append(n);
	}
	return r;
}
//#endregion
//#region src/chart.ts
var ga = {
	lines: 23,
	heat: 23,
	scatter: 28
}, _a = {
	lines: .66,
	heat: .66,
	scatter: .8
}, va = .42;
function X(e, t = {}, ...n) {
	let r = document.createElement(e);
	for (let [e, n] of Object.entries(t)) r.setAttribute(e, n);
	return r.append(...n), r;
}
var ya = class {
	chart;
	look;
	root;
	title = X("h3");
	legend = X("ul", { class: "legend" });
	plot = X("div", { class: "plot" });
	readings = [];
	drawn;
	scales;
	data = [[]];
	width = 0;
	cut = !1;
	constructor(e, t, n) {
		this.chart = e, this.look = t;
		let r = X("figcaption", {}, this.title, ha(() => this.chart, n));
		this.root = X("figure", {
			class: "chart",
			"data-chart": e.id
		}, r, this.legend, this.plot);
	}
	update(e, t, n = !1) {
		this.chart = e, this.look = t, this.cut = n, this.root.classList.toggle("wide", e.wide ?? !1), this.title.textContent !== e.title && (this.title.textContent = e.title), this.plot.setAttribute("role", "img"), this.plot.setAttribute("aria-label", Ca(e)), this.width = this.plot.clientWidth, this.width > 0 && this.draw();
	}
	fit() {
		this.plot.clientWidth !== this.width && this.update(this.chart, this.look, this.cut);
	}
	get size() {
		let { chart: e, width: t, look: { letter: n } } = this, r = e.kind === "heat" && e.tall ? "scatter" : e.kind, i = e.wide && r === "lines" ? va : _a[r], a = Math.round(Math.max(n * 15, Math.min(n * ga[r], t * i)));
		return {
			width: t,
			letter: n,
			height: e.kind === "heat" ? Y(e, t, a, n) : a
		};
	}
	draw() {
		if (this.chart.kind === "lines") {
			this.drawLines(this.chart);
			return;
		}
		this.legend.replaceChildren(), this.plot.innerHTML = aa(this.chart, this.size, this.look.palette, !1);
	}
	drawLines(e) {
		let t = Yi(e);
		this.scales = {
			x: Si(e.x, t.x, this.width < 420 ? 4 : 6),
			y: Si(e.y, t.y, 5)
		}, this.data = Sa(e, this.cut ? e.moment ?? Infinity : Infinity);
		let n = JSON.stringify([
			this.look,
			e.x.label,
			e.x.log,
			e.y.label,
			e.y.log,
			e.lines.map((e, t) => [
				e.label,
				Ai(e, t),
				e.dash,
				e.role,
				e.quiet
			])
		]), { width: r, height: i } = this.size;
		if (this.drawn?.form === n) {
			(this.drawn.plot.width !== r || this.drawn.plot.height !== i) && this.drawn.plot.setSize({
				width: r,
				height: i
			}), this.drawn.plot.setData(this.data);
			return;
		}
		this.drawn?.plot.destroy(), this.plot.replaceChildren(), this.drawLegend(e), this.drawn = {
			plot: new mi(this.options(e, r, i), this.data, this.plot),
			form: n
		};
	}
	drawLegend(e) {
		this.readings.length = 0;
		let t = qi(e).map(({ line: e, colour: t }) => {
			let n = zi[e.dash ?? "solid"].map((e) => e * 2).join(" "), { width: r, opacity: i } = Ri({
				...e,
				among: 1
			}), a = `<svg width="26" height="10" aria-hidden="true"><path d="M1 5h24" stroke="${this.look.palette.lines[t]}" stroke-width="${r}" stroke-opacity="${i}" stroke-dasharray="${n}"/></svg>`, o = X("output");
			this.readings.push(o);
			let s = X("li", {}, e.label, o);
			return s.insertAdjacentHTML("afterbegin", a), s;
		});
		this.legend.replaceChildren(...t);
	}
	options(e, t, n) {
		let { palette: r, letter: i } = this.look, a = (t) => ({
			stroke: r.quiet,
			labelFont: `${i}px ${ba}`,
			font: `${Ti(i)}px ${ba}`,
			label: e[t].label,
			labelSize: i * 1.7,
			labelGap: 2,
			gap: 4,
			size: (e, n) => t === "x" ? i * 1.9 : i * (.9 + .52 * Math.max(2, ...(n ?? []).map((e) => e.length))),
			grid: {
				stroke: r.grid,
				width: 1
			},
			ticks: { show: !1 },
			splits: () => this.scales[t].ticks.map((e) => e.at),
			values: (e, n) => n.map((e) => this.scales[t].ticks.find((t) => t.at === e)?.text ?? ""),
			filter: (e, t) => t
		}), o = (t) => ({
			time: !1,
			distr: e[t].log ? 3 : 1,
			range: () => [this.scales[t].low, this.scales[t].high]
		});
		return {
			width: t,
			height: n,
			legend: { show: !1 },
			cursor: {
				drag: {
					x: !1,
					y: !1
				},
				points: { size: 6 }
			},
			padding: [
				i * .6,
				i * .9,
				0,
				0
			],
			scales: {
				x: o("x"),
				y: o("y")
			},
			axes: [a("x"), a("y")],
			series: [{}, ...e.lines.map((e, t) => ({
				stroke: r.lines[Ai(e, t)],
				width: Ri(e).width,
				dash: zi[e.dash ?? "solid"].map((t) => t * Ri(e).width),
				alpha: Ri(e).opacity,
				points: { show: !1 },
				pxAlign: 0
			}))],
			hooks: {
				draw: [(e) => this.drawMarks(e)],
				setCursor: [(e) => this.readAt(e)]
			}
		};
	}
	drawMarks(e) {
		let t = Ji(this.chart), { ctx: n, bbox: r } = e, { palette: i, letter: a } = this.look, o = mi.pxRatio;
		n.save(), n.font = `${Ti(a) * o}px ${ba}`, n.lineWidth = o, n.textBaseline = "alphabetic";
		let s = 0, c = (e, t, r) => {
			n.save(), n.setLineDash([]), n.lineWidth = 3 * o, n.lineJoin = "round", n.strokeStyle = i.paper, n.strokeText(e, t, r), n.fillText(e, t, r), n.restore();
		};
		for (let l of t) {
			let t = Math.round(e.valToPos(l.at, l.axis, !0)), u = l.axis === "x" ? (t - r.left) / r.width : (t - r.top) / r.height;
			u >= 0 && u <= 1 && (n.strokeStyle = ji(l, i), n.fillStyle = i.quiet, n.setLineDash([3 * o, 3 * o]), n.beginPath(), l.axis === "x" ? (n.moveTo(t, r.top), n.lineTo(t, r.top + r.height), n.stroke(), n.textAlign = u > .6 ? "right" : "left", c(l.label, t + (u > .6 ? -5 : 5) * o, r.top + a * (1 + 1.2 * s++) * o)) : (n.moveTo(r.left, t), n.lineTo(r.left + r.width, t), n.stroke(), n.textAlign = l.side ?? "right", c(l.label, l.side === "left" ? r.left + 4 * o : r.left + r.width - 4 * o, u * r.height < 1.5 * a * o ? t + 1.2 * a * o : t - 6 * o)));
		}
		n.restore();
	}
	readAt(e) {
		let t = e.cursor.idx, n = this.chart.lines, r = 0;
		n.forEach((e, n) => {
			if (e.quiet) return;
			let i = t == null ? void 0 : xa(this.data[n + 1], t), a = this.readings[r++];
			a && (a.textContent = i == null ? "" : _i(i));
		});
	}
}, ba = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";
function xa(e, t) {
	for (let n = 0; n < e.length; n++) {
		let r = e[t - n] ?? e[t + n];
		if (r != null) return r;
	}
}
function Sa(e, t) {
	let n = e.y.log ?? !1, r = (e) => e.map((e) => Number.isFinite(e) && (!n || e > 0) ? e : null), i = (n) => {
		let i = n.x ?? e.x.values;
		return r(n.y).map((e, n) => i[n] <= t ? e : null);
	};
	return e.lines.every((e) => !e.x) ? [[...e.x.values], ...e.lines.map(i)] : mi.join(e.lines.map((t) => [[...t.x ?? e.x.values].slice(0, t.y.length), i(t)]));
}
function Ca(e) {
	return e.kind === "lines" ? `${e.title}: ${e.y.label} against ${e.x.label}; ${qi(e).map(({ line: e }) => e.label).join(", ")}` : e.kind === "heat" ? `${e.title}: ${e.matrix.length} by ${e.matrix[0]?.length ?? 0} values of ${e.label}` : `${e.title}: ${e.points.map((e) => e.label).join(", ")}`;
}
//#endregion
//#region src/state.ts
function wa(e, t) {
	return typeof e.controls == "function" ? e.controls(t) : e.controls;
}
function Ta(e) {
	return e.filter((e) => e.kind !== "button");
}
function Ea(e) {
	return typeof e == "object" ? e.map((e) => [...e]) : e;
}
function Da(e) {
	return !e.log && Number.isInteger(e.step) && Number.isInteger(e.min);
}
function Oa(e, t) {
	if (e.kind === "slider") return typeof t == "number" && t >= e.min && t <= e.max && (!Da(e) || Number.isInteger(t)) ? void 0 : `${e.id} must be a ${Da(e) ? "whole " : ""}number from ${e.min} to ${e.max}`;
	if (e.kind === "choice") {
		let n = e.options.map((e) => e.value);
		return n.includes(t) ? void 0 : `${e.id} must be one of ${n.join(", ")}`;
	}
	if (e.kind === "text") return typeof t == "string" ? e.refuse(t) : `${e.id} must be text`;
	let [n, r] = [e.rows.length, e.columns.length];
	return Array.isArray(t) && t.length === n && t.every((e) => Array.isArray(e) && e.length === r && e.every((e) => typeof e == "boolean")) ? void 0 : `${e.id} must be ${n} rows of ${r} toggles`;
}
function ka(e, t) {
	let n = {}, r = [];
	for (let i = 0; i < 4; i++) {
		let i = JSON.stringify(n), a = {};
		r = [];
		for (let i of Ta(wa(e, n))) {
			let e = Object.hasOwn(t, i.id) ? t[i.id] : void 0, n = e === void 0 ? void 0 : Oa(i, e);
			n && r.push(n), a[i.id] = Ea(e === void 0 || n ? i.value : e);
		}
		if (n = a, JSON.stringify(n) === i) break;
	}
	for (let e of Object.keys(t)) Object.hasOwn(n, e) || r.push(`there is no setting ${e.slice(0, 24)}`);
	return {
		state: n,
		misfits: r
	};
}
function Aa(e) {
	let t = e.log ? Math.log10(e.max / e.min) : e.max - e.min;
	return Math.max(1, Math.round(t / e.step));
}
function ja(e, t) {
	if (t <= 0) return e.min;
	if (t >= Aa(e)) return e.max;
	let n = e.log ? e.min * 10 ** (t * e.step) : e.min + t * e.step;
	return Math.min(e.max, Math.max(e.min, Number(n.toPrecision(e.log ? 4 : 12))));
}
function Ma(e, t) {
	let n = e.log ? Math.log10(t / e.min) : t - e.min;
	return Math.min(Aa(e), Math.max(0, Math.round(n / e.step)));
}
//#endregion
//#region src/controls.ts
var Na = class {
	change;
	root = X("div", { class: "controls" });
	parts = /* @__PURE__ */ new Map();
	controls = [];
	state = {};
	constructor(e) {
		this.change = e;
	}
	update(e, t) {
		this.state = t, this.controls = e;
		let n = /* @__PURE__ */ new Map();
		for (let t of e) {
			let e = JSON.stringify({
				...t,
				value: void 0
			}), r = this.parts.get(t.id);
			n.set(t.id, r?.form === e ? r : {
				form: e,
				part: this.make(t)
			});
		}
		this.place([...n.values()].map(({ part: e }) => e.root)), this.parts = n;
		for (let { part: e } of n.values()) e.set(t);
	}
	place(e) {
		for (let t of [...this.root.children]) e.includes(t) || t.remove();
		e.forEach((e, t) => {
			this.root.children[t] !== e && this.root.insertBefore(e, this.root.children[t] ?? null);
		});
	}
	make(e) {
		if (e.kind === "slider") return La(e, this.change);
		if (e.kind === "choice") return Ra(e, this.change);
		if (e.kind === "grid") return za(e, this.change);
		if (e.kind === "text") return Va(e, this.change);
		let t = () => this.controls.find((t) => t.kind === "button" && t.id === e.id)?.press(this.state);
		return Ba(e, () => this.change(t() ?? {}));
	}
};
function Pa(e) {
	return `festina-${e}-${++Fa}`;
}
var Fa = 0;
function Ia(e) {
	let t = document.createDocumentFragment();
	if (!e.help) return {
		mark: t,
		text: t,
		describes: {}
	};
	let n = Pa(`${e.id}-help`), r = X("p", {
		class: "help",
		id: n,
		hidden: ""
	}, e.help), i = X("button", {
		type: "button",
		class: "ask-help",
		"aria-expanded": "false",
		"aria-controls": n,
		"aria-label": `Help on ${e.label}`
	}, "?");
	return i.addEventListener("click", () => {
		r.hidden = !r.hidden, i.setAttribute("aria-expanded", String(!r.hidden));
	}), {
		mark: i,
		text: r,
		describes: { "aria-describedby": n }
	};
}
function La(e, t) {
	let n = Pa(e.id), r = Ia(e), i = X("input", {
		...r.describes,
		type: "range",
		id: n,
		min: "0",
		max: String(Aa(e)),
		step: "1",
		"data-control": e.id
	}), a = X("output", { for: n }), o = (t) => (e.format ?? _i)(t) + (e.unit ? ` ${e.unit}` : "");
	return i.addEventListener("input", () => t({ [e.id]: ja(e, Number(i.value)) })), {
		root: X("div", { class: "control slider" }, X("div", { class: "head" }, X("label", { for: n }, e.label), r.mark, a), r.text, i),
		set: (t) => {
			let n = t[e.id], r = Ma(e, n);
			i.value = String(r), i.style.setProperty("--filled", `${100 * r / Aa(e)}%`), a.textContent = o(n), i.setAttribute("aria-valuetext", o(n));
		}
	};
}
function Ra(e, t) {
	let n = Pa(e.id), r = e.options.map((r) => {
		let i = X("input", {
			type: "radio",
			name: n,
			value: r.value,
			"data-control": e.id
		});
		return i.addEventListener("change", () => t({ [e.id]: r.value })), {
			input: i,
			root: X("label", {}, i, X("span", {}, r.label))
		};
	}), i = (t) => {
		for (let { input: n } of r) n.checked = n.value === t[e.id];
	}, a = Ia(e);
	return {
		root: X("fieldset", {
			class: "control choice",
			...a.describes
		}, X("legend", {}, e.label, " ", a.mark), a.text, ...r.map((e) => e.root)),
		set: i
	};
}
function za(e, t) {
	let n = [], r = e.rows.map((i, a) => e.columns.map((o, s) => {
		let c = X("button", {
			type: "button",
			"data-control": e.id,
			"data-cell": `${a},${s}`,
			"aria-label": `${i}, ${o}`
		});
		return c.addEventListener("click", () => {
			let r = n.map((e, t) => e.map((e, n) => t === a && n === s ? !e : e));
			t({ [e.id]: r });
		}), c.addEventListener("keydown", (e) => {
			let [t, n] = {
				ArrowDown: [1, 0],
				ArrowUp: [-1, 0],
				ArrowRight: [0, 1],
				ArrowLeft: [0, -1]
			}[e.key] ?? [0, 0], i = r[a + t]?.[s + n];
			i && i !== c && (e.preventDefault(), i.focus());
		}), c;
	})), i = X("tr", {}, X("td"), ...e.columns.map((e) => X("th", { scope: "col" }, e))), a = r.map((t, n) => X("tr", {}, X("th", { scope: "row" }, e.rows[n]), ...t.map((e) => X("td", {}, e)))), o = X("table", {}, X("thead", {}, i), X("tbody", {}, ...a)), s = (t) => {
		n = t[e.id], r.forEach((e, t) => e.forEach((e, r) => e.setAttribute("aria-pressed", String(n[t]?.[r] ?? !1))));
	}, c = Ia(e);
	return {
		root: X("fieldset", {
			class: "control grid",
			...c.describes
		}, X("legend", {}, e.label, " ", c.mark), c.text, X("div", { class: "scroll" }, o)),
		set: s
	};
}
function Ba(e, t) {
	let n = Ia(e), r = X("button", {
		...n.describes,
		type: "button",
		class: "press",
		"data-control": e.id
	}, e.label);
	return r.addEventListener("click", t), {
		root: X("div", { class: "control preset" }, r, n.mark, n.text),
		set: () => {}
	};
}
function Va(e, t) {
	let n = Pa(e.id), r = Ia(e), i = X("textarea", {
		...r.describes,
		id: n,
		rows: "7",
		spellcheck: "false",
		wrap: "off",
		"data-control": e.id
	}), a = X("input", {
		type: "file",
		accept: ".csv,.tsv,.txt,text/csv,text/plain",
		"aria-label": `Open a file for ${e.label}`
	}), o = X("p", {
		class: "wrong",
		role: "alert",
		hidden: ""
	}), s = () => {
		let n = e.refuse(i.value);
		o.hidden = n === void 0, o.textContent = n ?? "", n === void 0 && t({ [e.id]: i.value });
	};
	return i.addEventListener("input", s), a.addEventListener("change", async () => {
		let e = a.files?.[0];
		e && (i.value = await e.text(), s());
	}), {
		root: X("div", { class: "control table" }, X("div", { class: "head" }, X("label", { for: n }, e.label), r.mark), r.text, i, a, o),
		set: (t) => {
			let n = t[e.id];
			o.hidden && i.value !== n && (i.value = n);
		}
	};
}
//#endregion
//#region src/draw/schematic.ts
var Ha = 1.55, Ua = 1.12, Wa = .4;
function Ga({ nodes: e, links: t, words: n, caption: r }, i, a) {
	let o = Ti(i), s = (e) => K(e * i * Ha), c = (e) => K(e * i * Ua), l = (e) => e === void 0 ? a.quiet : a.lines[e % 7], u = [], [d, f, p, m] = [
		Infinity,
		-Infinity,
		Infinity,
		-Infinity
	], h = (e, t, n, r) => {
		d = Math.min(d, e), f = Math.max(f, t), p = Math.min(p, n), m = Math.max(m, r);
	};
	for (let { from: n, to: r, colour: i, weight: a = 1 } of t) {
		let [t, o] = [e[n], e[r]];
		u.push(`<path d="M${s(t.x)} ${c(t.y)}L${s(o.x)} ${c(o.y)}" stroke="${l(i)}" stroke-width="${K(1.1 * a)}" stroke-opacity="0.55" fill="none"/>`);
	}
	for (let t of e) {
		let [e, n, r] = [
			s(t.x),
			c(t.y),
			K(Wa * i)
		], d = `fill="${t.colour === void 0 ? a.paper : l(t.colour)}" stroke="${l(t.colour)}" stroke-width="1.4"`;
		if (u.push(t.shape === "square" ? `<rect x="${e - r}" y="${n - r}" width="${2 * r}" height="${2 * r}" ${d}/>` : `<circle cx="${e}" cy="${n}" r="${r}" ${d}/>`), h(e - r, e + r, n - r, n + r), !t.label) continue;
		let [f, p] = [ki(t.label, o), t.side === "left"], m = p ? e - 1.7 * r : e + 1.7 * r;
		u.push(Di(m, n + o * .35, t.label, `fill="${a.ink}" font-size="${o}" text-anchor="${p ? "end" : "start"}"`)), h(p ? m - f : m, p ? m : m + f, n - o / 2, n + o / 2);
	}
	for (let e of n) {
		let [t, n, r] = [
			s(e.x),
			c(e.y),
			ki(e.text, o) / 2
		];
		u.push(Di(t, n + o * .35, e.text, `fill="${a.quiet}" font-size="${o}" text-anchor="middle"`)), h(t - r, t + r, n - o / 2, n + o * .6);
	}
	let [g, _] = [K(f - d + 8), K(m - p + 8)];
	return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${Ei(r)}" width="${g}" height="${_}" viewBox="${K(d - 4)} ${K(p - 4)} ${g} ${_}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif">${u.join("")}</svg>`;
}
//#endregion
//#region src/worker.ts?worker&inline
var Ka = "(function(){function e(e){let t=2654435769,n=608135816,r=e|0,i=1,a=()=>{let e=(t+n|0)+i|0;return i=i+1|0,t=n^n>>>9,n=r+(r<<3)|0,r=(r<<21|r>>>11)+e|0,(e>>>0)/4294967296};for(let e=0;e<20;e++)a();return a}function t(t){let n=e(t),r;return()=>{if(r!==void 0){let e=r;return r=void 0,e}let e=Math.sqrt(-2*Math.log(1-n())),t=2*Math.PI*n();return r=e*Math.sin(t),e*Math.cos(t)}}var n=class e{hidden;points;inputs;outputs;first;second;activity;y;error;places;values;on;back;constructor(e,t){this.hidden=t,this.points=e.x.length,this.inputs=e.x[0].length;let n=Math.ceil(e.y[0].length/4)*4;this.outputs=n,this.first=new Float64Array(t*this.inputs),this.second=new Float64Array(t*n),this.activity=new Float64Array(t*this.points),this.y=new Float64Array(this.points*n),e.y.forEach((e,t)=>this.y.set(e,t*n)),this.error=new Float64Array(this.y.length),this.on=new Int32Array(Math.max(t,this.points)),this.back=new Float64Array(this.points),this.places=e.x.map(e=>Int32Array.from(e.flatMap((e,t)=>e===0?[]:[t]))),this.values=e.x.map(e=>Float64Array.from(e.filter(e=>e!==0)))}static random(n,r,i,a){let o=new e(n,r),s=t(a);for(let e=0;e<o.first.length;e++)o.first[e]=i*s();let c=n.y[0].length;for(let e=0;e<r;e++)for(let t=0;t<c;t++)o.second[e*o.outputs+t]=i*s();return o}static from(t,n){let r=new e(t,n.first.length);return r.first.set(n.first.flat()),n.second.forEach((e,t)=>e.forEach((e,n)=>r.second[n*r.outputs+t]=e)),r}loss(){let{hidden:e,points:t,inputs:n,outputs:r,first:i,second:a,activity:o,error:s,y:c,on:l}=this,u=0;for(let d=0;d<t;d++){let f=this.places[d],p=this.values[d],m=0;for(let r=0;r<e;r++){let e=0;for(let t=0;t<f.length;t++)e+=i[r*n+f[t]]*p[t];o[r*t+d]=e>0?e:0,e>0&&(l[m++]=r)}for(let e=0;e<r;e+=4){let n=d*r+e,i=-c[n],f=-c[n+1],p=-c[n+2],h=-c[n+3];for(let n=0;n<m;n++){let s=l[n],c=o[s*t+d],u=s*r+e;i+=c*a[u],f+=c*a[u+1],p+=c*a[u+2],h+=c*a[u+3]}s[n]=i,s[n+1]=f,s[n+2]=p,s[n+3]=h,u+=i*i+f*f+p*p+h*h}}return u/(2*t)}step(e){let t=this.loss(),{hidden:n,points:r,inputs:i,outputs:a,first:o,second:s,activity:c,error:l,on:u,back:d}=this,f=e/r;for(let e=0;e<n;e++){let t=0;for(let n=0;n<r;n++)c[e*r+n]>0&&(d[t]=0,u[t++]=n);for(let n=0;n<a;n+=4){let i=e*a+n,o=s[i],p=s[i+1],m=s[i+2],h=s[i+3],g=0,_=0,v=0,y=0;for(let i=0;i<t;i++){let t=u[i],s=c[e*r+t],f=t*a+n,b=l[f],x=l[f+1],S=l[f+2],C=l[f+3];g+=s*b,_+=s*x,v+=s*S,y+=s*C,d[i]+=b*o+x*p+S*m+C*h}s[i]=o-f*g,s[i+1]=p-f*_,s[i+2]=m-f*v,s[i+3]=h-f*y}for(let n=0;n<t;n++){let t=this.places[u[n]],r=this.values[u[n]],a=f*d[n];for(let n=0;n<t.length;n++)o[e*i+t[n]]-=a*r[n]}}return t}sizes(){let{hidden:e,points:t,outputs:n,activity:r,second:i}=this;return new Float64Array(e).map((e,a)=>{let o=0,s=0;for(let e=0;e<t;e++)o+=r[a*t+e]**2;for(let e=0;e<n;e++)s+=i[a*n+e]**2;return Math.sqrt(o*s)})}};let r=[[1/5],[3/40,9/40],[44/45,-56/15,32/9],[19372/6561,-25360/2187,64448/6561,-212/729],[9017/3168,-355/33,46732/5247,49/176,-5103/18656],[35/384,0,500/1113,125/192,-2187/6784,11/84]],i=[71/57600,0,-71/16695,71/1920,-17253/339200,22/525,-1/40];function a(e){let t=e*e*(3-2*e),n=(e*(e-1))**2;return[t*35/384+e*(e-1)**2-n*5*(2558722523-31403016*e)/11282082432,0,t*500/1113+n*100*(882725551-15701508*e)/32700410799,t*125/192-n*25*(443332067-31403016*e)/1880347072,t*-2187/6784+n*32805*(23143187-3489224*e)/199316789632,t*11/84-n*55*(29972135-7076736*e)/822651844,e*e*(e-1)+n*10*(7414447-829305*e)/29380423]}function o(e,t,n,o,c,l){let u=t.length,d=Array.from({length:7},()=>new Float64Array(u)),f=Float64Array.from(t),p=new Float64Array(u),m=new Float64Array(u),h=new Float64Array(u),g=new Float64Array(u),_=n[n.length-1]??0,v=0,y=0,b=_/1e3;for(;y<n.length&&n[y]<=0;y++)if(l(y,f)===!0)return;e(f,d[0]);for(let t=0;y<n.length;t++){if(t>1e5)throw Error(`the integration takes too many steps`);let x=Math.min(b,_-v);for(let t=0;t<6;t++)s(p,f,d,r[t],x),e(p,d[t+1]);s(h,g,d,i,x);let S=0;for(let e=0;e<u;e++){let t=c+o*Math.max(Math.abs(f[e]),Math.abs(p[e])),n=Math.abs(h[e])/t;n<=S||(S=n)}if(!Number.isFinite(S)){if(x<1e-12*_)throw Error(`the integration left the finite numbers`);b=.1*x;for(let e of d.slice(1))e.fill(0);continue}if(b=x*Math.min(5,Math.max(.2,.9*Math.max(S,1e-10)**-.2)),S>1)continue;let C=x<_-v?v+x:_;for(m.set(p);y<n.length&&n[y]<=C;y++)if(n[y]<C?s(p,f,d,a((n[y]-v)/x),x):p.set(m),l(y,p)===!0)return;v=C,f.set(m),d[0].set(d[6])}}function s(e,t,n,r,i){for(let a=0;a<r.length;a+=3){let o=a===0?t:e,[s,c,l]=[n[a],n[a+1]??t,n[a+2]??t],[u,d,f]=[i*r[a],i*(r[a+1]??0),i*(r[a+2]??0)];for(let t=0;t<e.length;t++)e[t]=o[t]+u*s[t]+d*c[t]+f*l[t]}}let c=[{square:15,modes:1},{square:7,modes:1},{square:3,modes:2},{square:1,modes:4}],l=Math.sqrt(8);function u(e){let t=(Math.sqrt(e+1)-1)/e;return Array.from({length:e},(n,r)=>new Float64Array(e).map((e,n)=>t+ +(n===r)))}function d(e,t){let n=8*e,r=[],i=[];for(let{square:a,modes:o}of c){let s=Math.sqrt(a)/n,l=a===c[0].square;for(let n=0;n<o;n++){if(l&&t===e){r.push(s*Math.sqrt((e+1)*(e+8)));for(let t=1;t<e;t++)r.push(s*Math.sqrt(8))}else r.push(s*Math.sqrt(t*t+t));l||i.push(s*Math.sqrt(t*(e-t)/e))}}return{raw:r.sort((e,t)=>t-e),left:i.sort((e,t)=>t-e)}}function f(e,t,n,r,i=1e-7){let a=r.map(()=>0),s=t.map(()=>r.map(()=>0)),d=8*e,f=u(e),g=t.map((e,t)=>t).filter(e=>t[e].some(Boolean));for(let{square:u,modes:_}of c){let v=Math.sqrt(u),y=p(e,g.map(e=>t[e]),u===c[0].square),b=m(e,y,f,Math.sqrt(n)),x=Float64Array.from(f.flatMap(e=>Array.from(e,e=>v*e))),S=new Float64Array(x.length),C=y.map(({hidden:t})=>new Float64Array(t>1?t*e:0)),w=new Float64Array(e),T=t=>{S.set(x);for(let n=0;n<y.length;n++){let{at:r,out:i,hidden:a,features:o,open:s}=y[n];if(a===1){let n=t[r];for(let r=0;r<e;r++){let a=n*t[i+r];for(let t=0;t<s.length;t++)S[s[t]*e+r]-=a}continue}let c=C[n];for(let n=0;n<a;n++){let a=r+n*o;for(let r=0;r<e;r++){let o=t[a]+l*t[a+r+1];c[n*e+r]=o;for(let a=0;a<e;a++)S[r*e+a]-=o*t[i+n*e+a]}}}};o((t,n)=>{T(t);for(let r=0;r<y.length;r++){let{at:i,out:a,hidden:o,features:s,open:c}=y[r];if(o===1){let r=t[i]/d,o=0;for(let i=0;i<e;i++){let s=0;for(let t=0;t<c.length;t++)s+=S[c[t]*e+i];n[a+i]=r*s,o+=t[a+i]*s}n[i]=o/d;continue}let u=C[r];for(let r=0;r<o;r++){let o=i+r*s;w.fill(0);let c=0;for(let i=0;i<e;i++){let s=u[r*e+i],f=0;for(let n=0;n<e;n++){let o=S[i*e+n];f+=t[a+r*e+n]*o,w[n]+=s*o}c+=f,n[o+i+1]=l*f/d}n[o]=c/d;for(let t=0;t<e;t++)n[a+r*e+t]=w[t]/d}}},b,r,i,i*Math.sqrt(n),(t,n)=>{T(n);let r=0;for(let e of S)r+=e*e;a[t]+=_*r/(2*d),y.forEach((r,i)=>s[g[i]][t]+=_*h(r,n,e))})}return{times:[...r],loss:a,strengths:s.map(e=>e.map(Math.sqrt))}}function p(e,t,n){let r=0;return t.map(t=>{let[i,a]=n&&t.every(Boolean)?[e,e+1]:[1,1],o=Array.from(t.keys()).filter(e=>t[e]),s={at:r,out:r+i*a,hidden:i,features:a,open:o};return r+=i*(a+e),s})}function m(e,t,n,r){let i=t.at(-1),a=new Float64Array(i?i.at+i.hidden*(i.features+e):0);for(let{at:i,out:o,hidden:s,features:c,open:u}of t)if(s>1){let t=Math.sqrt(e+8);for(let n=0;n<s;n++){a[i+n*c]=r/t;for(let o=0;o<e;o++)a[i+n*c+o+1]=r*(+(n===o)-(1-l/t)/e);a[o+n*e+n]=r}}else{let t=0;for(let r=0;r<e;r++){let e=0;for(let t of u)e+=n[t][r];a[o+r]=e,t+=e*e}for(let n=0;n<e;n++)a[o+n]*=r/Math.sqrt(t);a[i]=r}return a}function h({at:e,out:t,hidden:n,features:r},i,a){let o=0;for(let s=0;s<a;s++)for(let c=0;c<r;c++){let l=0;for(let o=0;o<n;o++)l+=i[t+o*a+s]*i[e+o*r+c];o+=l*l}return o}function g(e){let t=[[-1,-1],[1,-1],[-1,1],[1,1]];return{x:t.map(([t,n])=>[t,n,-t*n*e]),y:t.map(([e,t])=>[-e*t])}}function _(e){let t=u(e),n=v(),r=[],i=[];for(let a=0;a<e;a++)for(let o=0;o<8;o++){let s=Array(8+e).fill(0);s[o]=1,s[8+a]=1,r.push(s),i.push(n.flatMap(({sigma:e,vector:n})=>Array.from(t[a],t=>e*n[o]*t)))}return{x:r,y:i}}function v(){return c.flatMap(({square:e,modes:t},n)=>{let r=n===0?8:8/t;return Array.from({length:t},(t,i)=>{let a=Array.from({length:8},(e,t)=>Math.floor(t/r)===i?(n>0&&t%r>=r/2?-1:1)/Math.sqrt(r):0);return{sigma:Math.sqrt(e),vector:a}})})}function y(e,t,n){for(let r=0;r<t.length;r++){if(!(t[r]<=n))continue;if(r===0)return e[0];let i=(t[r-1]-n)/(t[r-1]-t[r]);return e[r-1]+i*(e[r]-e[r-1])}return 1/0}function b(e,t,n){let r=Math.min(e.length,t.length,n.length),i=0,a=0;for(let o=1;o<r;o++){let r=(e[o]-e[o-1])/2;i+=r*(Math.abs(t[o]-n[o])+Math.abs(t[o-1]-n[o-1])),a+=r*(n[o]+n[o-1])}return a>0?i/a:NaN}function x(e,t){let n=e[t];if(typeof n!=`number`)throw Error(`state has no number ${t}`);return n}function S(e,t){let n=e[t];if(typeof n!=`string`)throw Error(`state has no word ${t}`);return n}function C(e,t){let n=e[t];if(!Array.isArray(n))throw Error(`state has no grid ${t}`);return n}function w(e){return{kind:`slider`,id:`moment`,label:`Moment`,min:0,max:1,step:.01,value:1,format:e,help:`The time, as a share of the time axis, at which the network is shown. Play runs it from the start to the end.`}}var T=class{height;nodes=[];links=[];words=[];feet=[];constructor(e){this.height=e}column(e,t,n,r=()=>({})){let i=Math.min(1.35,this.height/Math.max(t.length,1)),a=t.map((n,a)=>(this.nodes.push({x:e,y:(this.height+i*(2*a+1-t.length))/2,...n?{label:n}:{},...r(a)}),this.nodes.length-1));return n&&this.feet.push({x:e,text:n}),a}node(e){return this.nodes.push(e)-1}join(e,t,n=()=>({})){e.forEach((e,r)=>t.forEach((t,i)=>{let a=n(r,i);a&&this.links.push({from:e,to:t,...a})}))}word(e,t,n){this.words.push({x:e,y:t,text:n})}done(e){let t=Math.max(...this.nodes.map(({y:e})=>e));return{caption:e,nodes:this.nodes,links:this.links,words:[...this.words,...this.feet.map(({x:e,text:n})=>({x:e,y:t+1.4,text:n}))]}}};let E=e=>Array.from({length:e},()=>void 0),D=e=>{let t=100*e;return`${t<.1?`below 0.1`:t<10?Number(t.toPrecision(2)):Math.round(t)}\\u00a0%`},O=e=>Number(e.toPrecision(3)).toString().replace(`-`,`−`),k=e=>String(Number(e.toPrecision(12))),A=[`no`,`one`,`two`,`three`,`four`,`five`,`six`,`seven`,`eight`];function j(e,t,n,r=!1){if(e===void 0||!Number.isFinite(e))return` The comparison with a trained network follows when one has been trained.`;let i=`the area between the loss curves is ${D(e)} of that below ${r?`theirs`:`its own`}`;return e<=.02?` ${t} ${r?`follow`:`follows`} the prediction: ${i}.`:e<=.08?` ${t} ${r?`stay`:`stays`} near the prediction, not exactly on it: ${i}.`:` ${t} ${r?`depart`:`departs`} visibly from the prediction (${i}), because ${n}.`}let M=.05,ee=.004;function te(e){let[t,n]=[x(e,`contexts`),x(e,`units`)],r=x(e,`scale`)/n,i=ee*8*t,a=Math.floor(n/2)*r*r/2,o=Math.max(1,Math.round(re(t,a)/ee/200));return{contexts:t,units:n,std:r,rate:i,start:a,every:o,times:Array.from({length:201},(e,t)=>t*o*i)}}let ne=/* @__PURE__ */ new Map;function re(e,t){let n=`${e} ${t}`,r=ne.get(n);if(r===void 0){let i=Array.from({length:81},(t,n)=>64*e*n/80),{loss:a}=f(e,ie(e,`but_one`),t,i),o=y(i,a,M*4)/(8*e);r=Math.min(8,1.8*o),ne.set(n,r)}return r}function ie(e,t){let n=t=>Array.from({length:e},(e,n)=>t(n)),r=Array.from({length:e},(e,t)=>t),i=r.map(t=>n(n=>n!==e-1-t)),a=r.map(e=>n(t=>t===e)),o=[n(()=>!0)];for((t===`but_one`||t===`all`)&&o.push(...i),(t===`single`||t===`all`&&e>2)&&o.push(...a);o.length<ae(e);)o.push(n(()=>!1));return o}function ae(e){return e>2?2*e+1:3}let oe;function se(e,t){let n=JSON.stringify([e.contexts,e.start,t]);return oe?.key!==n&&(oe={key:n,race:f(e.contexts,t,e.start,e.times)}),oe.race}function*ce(e){let{contexts:t,units:r,std:i,rate:a,every:o,times:s}=te(e),c=_(t),l=Array.from({length:3},(e,t)=>n.random(c,r,i,t)),u=l.map(e=>[e.loss()]),d=3*o*3*(8*t)**2*r,f=Math.max(1,Math.round(2e7/d));for(let e=1;e<s.length;e++)l.forEach((e,t)=>{for(let t=0;t<o;t++)e.step(a);u[t].push(e.loss())}),e%f===0&&e<s.length-1&&(yield{losses:u.map(e=>[...e])});yield{losses:u,shares:le(l,t)}}function le(e,t){let n=Array(t-1).fill(0);for(let r of e){let i=Array(t).fill(0),a=r.sizes();for(let e=0;e<r.hidden;e++){let n=Array.from({length:t},(t,n)=>{let i=0;for(let t=0;t<8;t++)i+=r.activity[e*r.points+n*8+t];return i}),o=Math.max(...n),s=n.filter(e=>e>.1*o).length;s>0&&(i[s-1]+=a[e])}let o=i.slice(0,-1).reduce((e,t)=>e+t,0);o>0&&n.forEach((t,r)=>n[r]+=i[r]/o/e.length)}return n}function ue(e,t){if(e===t)return{label:`common, open in all contexts`,colour:6,dash:`solid`};let n=e===1?`open in 1 context`:`open in ${e} contexts`;return e===t-1?{label:n,colour:1,dash:`dash`}:e===1?{label:n,colour:0,dash:`dot`}:{label:n,colour:e===2?2:3,dash:`dashdot`}}function de(e,t){let n=Array(t+1).fill(0);for(let t of e)n[t.filter(Boolean).length]++;let r=[];n[t]&&r.push(n[t]===1?`a common pathway`:`${n[t]} common pathways`);for(let e=t-1;e>0;e--){let t=n[e];if(!t)continue;let i=t===1?``:` each`;r.push(`${A[t]??t} open in ${e===1?`one context`:`${A[e]} contexts`}${i}`)}let i=r.pop();return i===void 0?`no pathway at all`:r.length?`${r.join(`, `)} and ${i}`:i}function fe(e){let t=x(e,`contexts`),n=C(e,`gates`).filter(e=>e.some(Boolean)),r=new T(9),i=r.column(4,[...Array.from({length:3},()=>`item`),`…`,...Array.from({length:t},(e,t)=>`context ${t+1}`)],`inputs`,()=>({side:`left`})),a=n.slice(0,7),o=r.column(10,a.map(e=>e.map(e=>e?`●`:`○`).join(``)),`pathways`,e=>({colour:ue(a[e].filter(Boolean).length,t).colour,side:`right`})),s=r.column(16,[void 0,void 0,void 0,void 0,void 0],`properties`),c=e=>({colour:ue(a[e].filter(Boolean).length,t).colour,weight:.7});r.join(i,o,(e,t)=>e<4||a[t].every(Boolean)?c(t):void 0),r.join(o,s,e=>c(e));let l=n.length>a.length?` (${n.length-a.length} more are not drawn)`:``;return r.done(`Eight items in ${A[t]} contexts; each pathway is a linear network that is open (●) in some contexts and closed (○) in others${l}.`)}let pe={id:`contexts`,title:`Contexts`,question:`Which pathways does a ReLU network share between contexts?`,paper:{text:`Jarvis, Klein, Rosman and Saxe 2025, sections 4 and 5`,href:`https://arxiv.org/abs/2503.06181`},terms:[`relu`,`pathway`,`context`,`gating`,`singular`,`flow`],theory:{text:`Eight items have properties that all contexts share and properties that belong to one context, each block a hierarchy. A gated network has pathways that are open in some of the contexts. One that is open in all sees items and contexts; the others see items only. All start at the strength nσ²/2 of half of the ReLU network's units, because a random unit is on at any data point with probability ½, and are integrated jointly from the start. On what the common pathway leaves, pathways open in one context and in all but one would be equally fast; but those open in more contexts see more of the raw targets while the common one is still learning, and start ahead. Gates are fixed here; a ReLU network's are not, and it agrees the less the more contexts there are.`,equations:[`frac{d B_{p}}{d t} = frac{1}{N} Σ_{c∈p} ( y_{c} − Σ_{j∋c} B_{j} A_{j} ) A_{p}^{T},  N = 8 C,  \"and likewise\" A_{p}`,`\"raw targets, open in\" k \"contexts:\"  S = frac{σ}{N} sqrt{k^{2} + k}`,`\"on what the common pathway leaves:\"  S = frac{σ}{N} sqrt{k (1 − k/C)}`,`σ^{2} = 15, 7, 3, 3, 1, 1, 1, 1`]},controls(e){let t=typeof e.contexts==`number`?e.contexts:3,n={kind:`grid`,id:`gates`,label:`Open in context`,help:`Each row is a pathway; click where it is to be open. A row without any is no pathway.`,rows:Array.from({length:ae(t)},(e,t)=>`pathway ${t+1}`),columns:Array.from({length:t},(e,t)=>`${t+1}`),value:ie(t,`but_one`)},r=(e,t,n)=>({kind:`button`,id:e,label:t,help:n,press:t=>({gates:ie(x(t,`contexts`),e)})});return[{kind:`slider`,id:`contexts`,label:`Contexts C`,help:`How many contexts the eight items appear in.`,min:2,max:5,step:1,value:3},n,r(`but_one`,`All but one`,`A common pathway, and one closed in each context: what the paper finds.`),r(`single`,`Single`,`A common pathway, and one for each context alone.`),r(`all`,`Both kinds`,`A common pathway, those closed in one context and those open in one, racing.`),r(`common`,`Common alone`,`One pathway that is always open: a linear network.`),{kind:`slider`,id:`scale`,label:`Initial scale σN`,help:`Standard deviation σ of an initial weight times the number N of hidden units; 0.005 in the paper.`,min:.001,max:1,step:.1,value:.005,log:!0},{kind:`slider`,id:`units`,label:`Hidden units N`,help:`Width of the ReLU networks; the paper has 500 to 700, which takes longer to train here.`,min:50,max:500,step:50,value:200},w(e=>`${Math.round(100*e)} %`)]},schematic:fe,ask:{prompt:`Eight items have some properties in every context and others in one context only. Which units will a ReLU network build for what is particular to a context?`,options:[`Units that are on in that one context`,`Units that are on in all contexts but one`],right:e=>{let t=x(e,`contexts`);return+(d(t,t-1).raw[0]>d(t,1).raw[0])},because:`A unit that is on in more contexts sees more of the targets at the start, so it is ahead when the race for what is left begins.`},view(e,t){let n=te(e),{contexts:r,units:i,times:a}=n,o=C(e,`gates`),s=se(n,o),c=o.map(e=>e.filter(Boolean).length),l=y(a,s.loss,M*4),u=s.loss.at(-1),f=a.at(-1)*x(e,`moment`),p=(t?.losses??[]).map((e,t)=>({label:t?`ReLU network, seed ${t}`:`ReLU networks, ${i} units`,x:a.slice(0,e.length),y:e,colour:6,role:`trained`,among:3,quiet:t>0})),m=t?.shares&&a.map((e,n)=>t.losses.reduce((e,t)=>e+t[n],0)/t.losses.length),h=m&&b(a,s.loss,m),g=m&&y(a,m,M*4),_=/* @__PURE__ */ new Set,v=[];o.forEach((e,t)=>{let n=c[t];if(n===0)return;let i=ue(n,r);v.push({...i,label:_.has(n)?`${i.label}, pathway ${t+1}`:i.label,quiet:_.has(n),y:s.strengths[t]}),_.add(n)});let S=[..._].sort((e,t)=>t-e),w=_.has(r),T=S.flatMap(e=>{let{label:t,colour:n}=ue(e,r),{raw:i,left:a}=d(r,e),o=Array.from(i.keys(),e=>e+1),s=[{label:e===r?t:`${t}, raw targets`,x:o,y:i,colour:n}];return w&&e<r&&s.push({label:`${t}, what is left`,x:o.slice(0,a.length),y:a,colour:n,dash:e===r-1?`dash`:`dot`}),s}),E=[{id:`time`,label:`this gating, flow time to ${D(M)} of the loss`,value:l,format:me},...g===void 0?[]:[{id:`time_relu`,label:`ReLU networks, the same`,value:g,format:me}],{id:`loss_end`,label:`this gating, last loss`,value:u},...h===void 0?[]:[{id:`area`,label:`area between the loss curves`,value:h,format:e=>e.toFixed(3)}]],O=S.find(e=>e<r);if(O!==void 0){let{raw:e,left:t}=d(r,O);E.push({id:`s_raw`,label:`S₁, raw targets, ${ue(O,r).label}`,value:e[0]}),w&&E.push({id:`s_left`,label:`S₁, on what the common one leaves`,value:t[0]})}return{sentence:he(o,n,{learned:l,end:u,gap:h,taught:g},t?.shares),numbers:E,charts:[{kind:`lines`,id:`loss`,title:`Loss`,wide:!0,x:{label:`flow time (step size × steps)`,values:a,range:[0,a.at(-1)]},y:{label:`loss`},moment:f,lines:[...p,{label:`this gating, predicted by the race`,y:s.loss,colour:6}],marks:[{axis:`y`,at:M*4,label:`learned`,side:`left`}]},{kind:`lines`,id:`strengths`,title:`What each pathway carries`,x:{label:`flow time (step size × steps)`,values:a,range:[0,a.at(-1)]},y:{label:`strength ‖W‖ of its map`},moment:f,lines:v},{kind:`lines`,id:`values`,title:`Effective singular values`,x:{label:`mode of the pathway`,values:Array.from({length:8+r-1},(e,t)=>t+1)},y:{label:`singular value S`},lines:T}]}},live:{label:`Train ${A[3]} ReLU networks`,key:e=>[`contexts`,`scale`,`units`].map(t=>e[t]).join(),run:ce},python(e){let{contexts:t,units:n,times:r}=te(e),i=C(e,`gates`).filter(e=>e.some(Boolean)),a=[`import numpy as np`,`import festina as fs`,``,`task = fs.tasks.context(${t})`];if(!i.length)return[...a,`numbers = {\"time\": np.inf, \"loss_end\": task.statistics.power / 2}`].join(`\n`);let o=i.map(e=>e.filter(Boolean).length),s=Math.max(0,...o.filter(e=>e<t)),c=[...a,`open_in = np.array([${i.map(e=>`[${e.map(Number).join(`, `)}]`).join(`, `)}])`,`std, units = ${x(e,`scale`)} / ${n}, ${n}`,`gates = np.repeat(open_in, 8, axis=1)`,`always = open_in.all(axis=1)`,`inputs = [None if a else range(8) for a in always]`,`widths = [${8+t-1} if a else 8 for a in always]`,`start = fs.gated.Decoupled.expected(std, {f\"pathway {i + 1}\": units // 2 for i in range(len(gates))})`,`network = fs.gated.pathways(gates, widths, inputs=inputs, initial=start)`,`times = np.linspace(0, ${k(r.at(-1))}, ${r.length})`,`path = fs.evolve(network, task, times, method=fs.Reduced())`,`numbers = {`,`    \"time\": float(path.first_passage(${M} * task.statistics.power / 2)),`,`    \"loss_end\": float(path.loss[-1]),`,`}`];if(s>0){let e=`pathway ${o.indexOf(s)+1}`;c.push(`def largest(task):`,`    statistics = task.statistics(network)`,`    p = [label.split(\" → \")[1] for label in statistics.labels].index(\"${e}\")`,`    return float(statistics.effective[p].strengths[0])`,`numbers[\"s_raw\"] = largest(task)`),o.includes(t)&&c.push(`linear = np.linalg.lstsq(task.x, task.y, rcond=None)[0]`,`numbers[\"s_left\"] = largest(fs.Task(task.x, task.y - task.x @ linear))`)}return c.join(`\n`)}},me=e=>Number.isFinite(e)?e.toFixed(1):`not in the time shown`;function he(e,{contexts:t,times:n},{learned:r,end:i,gap:a,taught:o},s){let c=de(e,t),l=Number.isFinite(r)?`With ${c}, the gated network has learned ${A[t]} contexts at flow time ${r.toFixed(0)}`:`With ${c}, the gated network still has loss ${i.toFixed(2)} of 4 at flow time ${n.at(-1).toFixed(0)}`;if(a===void 0||!s)return`${l}.${j(void 0,``,``)}`;let u=o!==void 0&&Number.isFinite(o)?`, the trained ReLU networks at ${o.toFixed(0)}`:`; the trained ReLU networks have not learned in the time shown`,d=s.indexOf(Math.max(...s))+1,f=d===1?`a single context`:`${A[d]} contexts`;return`${l}${u}.${j(a,`They`,`their units choose and change their gates themselves, while the gating is fixed`,!0)} ${D(s[d-1])} of their contextual activity is in units that are on in ${f}.`}function ge(e,t,n,r){let{s:i,d:a}=t;if(r===1)return e.map(e=>n*Math.exp(-a*e)-i/a*Math.expm1(-a*e));if(r===2)return e.map(e=>_e(e,t,n,0)[0]);let o=i/a,s=n/o;if(r===1/0)return be(e,t,n);let c=r*i*o**(1-2/r);if(s===0||s===1)return e.map(()=>n);if(s<1){let t=De(s,2/r-1);return e.map(e=>e>0?o*t(c*e):n)}let l=De(s,2-2/r);return e.map(e=>e>0?o/l(c*e):n)}function _e(e,{s:t,d:n},r,i){let a=r*i,o=Math.hypot(t,2*n*Math.sqrt(r)*Math.sqrt(i)),s=o>0?Math.exp(-2*o*e):1,c=o>0?-Math.expm1(-2*o*e)*n/o:n>0?2*n*e:0,l=o>0?(t+o)/(2*o):.5,u=o>0?2*n*n*a/(o*(o+t)):.5,d=(e,t,n)=>e>0?(e*(t+n*s)+(a>0?a*c:0))/(e*c+t*s+n):0;return[d(r,l,u),d(i,u,l)]}function ve(e,t,n,r){let i=Math.hypot(r,2*n),a=n>=0?(i+2*n)/4:r**2/(4*(i-2*n)||1),o=n<0?(i-2*n)/4:r**2/(4*(i+2*n)||1);return e.map(e=>{let[n,r]=_e(e,t,a,o);return n-r})}function N(e,{s:t,d:n},r,i){let a=t/n;if(!(r<=e&&e<a||r>=e&&e>a)||!(r>0||i===1))return e===r?0:1/0;let[o,s]=[e/a,r/a];if(i===1)return Math.log1p((o-s)/(1-o))/n;if(i===2)return Math.log1p((o-s)/(s*(1-o)))/(2*t);let c=s>1,l=we(c?2-2/i:2/i-1),u=e=>{let t=c?Math.abs(1-e)/e:Math.abs(1-e);return l(c?1/e:e,t,Math.log(t))};return(u(o)-u(s))/((i===1/0?1:i)*t*a**(1-2/i))}function ye({s:e,d:t},n){return 1/(t*n*(e/t)**(2-2/n))}function be(e,{s:t,d:n},r){let i=t/(n*r)-1;if(r===0||i===0||!Number.isFinite(i))return e.map(()=>r);if(i<0){let i=De(n*r/t,2);return e.map(e=>e>0?t/n/i(t*t/n*e):r)}return e.map(e=>e>0?t/n/(1+xe(Math.log(i)+i-t*t/n*e)):r)}function xe(e){if(e===-1/0)return 0;if(e<-50)return Math.exp(e);let t=e<1?Math.exp(Math.min(e,0))/(1+Math.exp(Math.min(e,0)))+1e-300:e-Math.log(e);for(let n=0;n<200;n++){let n=(t+Math.log(t)-e)/(1+t);if(t*=Math.exp(-n),Math.abs(n)<1e-15*(1+1/t)||Math.abs(n)<1e-16)break}return t}function Se(e){let[t,n]=[0,e];for(;n<10;n++)t-=1/n;let r=1/(n*n),i=r*(1/12-r*(1/120-r*(1/252-r*(1/240-r*(1/132-r*691/32760)))));return t+Math.log(n)-.5/n-i}function Ce(e,t){return Math.abs(e)>.25?t**e/e:e?Math.expm1(e*Math.log(t))/e:Math.log(t)}function we(e){let t=Te.get(e);return t||(t=Ee(e),Te.set(e,t)),t}let Te=/* @__PURE__ */ new Map;function Ee(e){let t=/* @__PURE__ */ new Float64Array(64),n=/* @__PURE__ */ new Float64Array(64),r=-.5772156649015329;for(let i=0;i<64;i++)t[i]=r-Se(e+Math.max(i,2)),n[i]=(e+i)/(i+1),r+=1/(i+1);return(r,i,a)=>{let o=0;if(r<.5){let t=r**(e+2);for(let n=0;n<64&&t>1e-18*o;n++)o+=t/(e+2+n),t*=r}else{let s=1;o=i;for(let e=0;e<64;e++){let r=s*(t[e]-a);if(o+=r,s*=n[e]*i,e>2&&Math.abs(r)<1e-18*Math.abs(o))break}o*=r**e}return Ce(e,r)+Ce(e+1,r)+o}}function De(e,t){let n=we(t),r=e>1?(e-1)/e:1-e,i=e>1?1/e:e,a=Math.log(i)-Math.log(r),o=n(i,r,Math.log(r));return e=>{if(e===1/0)return 1;let s=e*i**-t;if(!(s>1e-9))return i+i*r*s;let c=a+Math.min(e,s),l=a+Math.max(e,s),u=i**t+t*e,d=u>0?Math.log(u)/(t||1):0;d=u>0&&d<0?d-Math.log1p(-Math.exp(Math.min(d,-1e-12))):e+a;let f=Math.min(Math.max(Number.isFinite(d)?d:a,c),l),p=i;for(let r=0;r<200;r++){let r=1/(1+Math.exp(-f)),i=1/(1+Math.exp(f)),a=n(r,i,f>0?-f-Math.log1p(Math.exp(-f)):-Math.log1p(Math.exp(f)))-(o+e),s=a*r**-t;p=r-r*i*s,a<=0&&(c=f),a>=0&&(l=f);let u=f-s;if(!(Math.abs(s)>1e-9+4*2**-52*Math.abs(f)))break;f=u>=c&&u<=l?u:.5*(c+l)}return p}}function P({eigenvalues:e,length:t}){let n=e.reduce((e,t)=>e+t,0),r=e.map(e=>e**2),i=e.map((e,i)=>r[i]*((1+1/t)*e+n/t));return{s:r,c:i,ends:r.map((e,t)=>e/i[t]),trace:n}}function Oe(e,t){return Math.abs(e)<1e-14*t?0:e}function ke(e){let{s:t,ends:n,trace:r}=P(e),i=[.5*r];return t.forEach((e,t)=>i.push(i[t]-.5*e*n[t])),i.map(e=>Oe(e,r))}function Ae({eigenvalues:e},t,n){let{s:r,c:i,trace:a}=P({eigenvalues:e,length:n}),o=e.length,s=a;for(let n=0;n<o;n++){s-=2*r[n]*t[n*o+n];for(let r=0;r<o;r++)s+=t[n*o+r]**2*(i[n]/e[n])*e[r]}return Oe(.5*s,a)}function je(e,t){let{eigenvalues:n}=e,{c:r,ends:i,trace:a}=P(e),o=n.length;return Array.from({length:o+1},(e,s)=>{let c=0;for(let e=0;e<o;e++)for(let a=0;a<o;a++){let l=t[e*o+a]-(e===a&&e<s?i[e]:0);c+=l*l*(r[e]/n[e])*n[a]}return c/a})}function Me(e){let t=e.length;return Array.from({length:t*t},(n,r)=>r%(t+1)?0:e[r/(t+1)])}function Ne({s:e,c:t,start:n},r){return ge(r,{s:e,d:t},n,3)}function F({s:e,c:t,start:n},r){return N(r*e/t,{s:e,d:t},n,3)}function Pe(e,t,n){let{s:r,c:i}=P(e);return r.slice(0,t).map((e,t)=>({component:t,head:t,s:e,c:i[t],start:n**3}))}function Fe(e){let t=0;for(let n=0;n+1<e.length;n++){let r=F(e[n+1],.5)-F(e[n],.5);t=Math.max(t,(F(e[n],.9)-F(e[n],.1))/Math.max(r,1e-300))}return t}let Ie=(e,t,n)=>Array.from({length:n},(r,i)=>e*(t/e)**(i/(n-1))),I=[...Ie(1e-4,.02,16).slice(0,-1),...Array.from({length:97},(e,t)=>.02+.01*t),...Ie(.02,1e-6,16).slice(1).map(e=>1-e)],Le=1e-8;function Re(e,t){if(t<=e[0])return I[0];let n=e.length-1;if(t>=e[n])return I[n];let[r,i]=[0,n];for(;i-r>1;){let n=r+i>>1;e[n]<=t?r=n:i=n}return I[r]+(I[i]-I[r])*(t-e[r])/(e[i]-e[r])}function ze(e,t){let{s:n,c:r,ends:i}=P(e),a=Math.sqrt(3)*Math.cbrt(Math.max(...i)),o=new Map(t.value.map((e,n)=>[n,[e,...t.key[n],...t.query[n]]])),s=[],c=[];for(;o.size&&s.length<n.length;){let e;for(let[t,r]of o){let i=Be(r,n,s,a);(!e||i.time<e.time)&&(e={head:t,...i})}if(!e||!Number.isFinite(e.time))break;let t=e.unit.slice(1,1+n.length).map((e,t)=>s.some(({component:e})=>e===t)?0:Math.abs(e)),i=t.indexOf(Math.max(...t)),l={component:i,head:e.head,s:n[i],c:r[i],start:(n[i]*e.time)**-3,time:e.time};c.push(l),s.push({component:i,times:I.map(e=>e*l.s<=l.start*l.c?0:F(l,e))}),o.delete(e.head)}return c.sort((e,t)=>e.time-t.time)}function Be(e,t,n,r){let i=Math.sqrt(e.reduce((e,t)=>e+t*t,0)),a=t.length,s=t.map((e,t)=>n.some(({component:e})=>e===t)?0:e),c=Math.max(...s);if(i===0||c===0)return{time:1/0,unit:e};let[l,u]=[2*a+1,new Float64Array(a)],d=(e,t,n)=>{let r=0;for(let i=0;i<a;i++){let[o,s]=[e[1+i],e[1+a+i]];r+=o*t[i]*s,n[1+i]=e[0]*t[i]*s,n[1+a+i]=e[0]*t[i]*o}n[0]=r;let i=0;for(let t=0;t<l;t++)i+=e[t]*n[t];return i},f=(e,r)=>{for(let e=0;e<a;e++)u[e]=t[e];for(let{component:r,times:a}of n)u[r]-=t[r]*Re(a,e[l+1]/i);let o=d(e,u,r);for(let t=0;t<l;t++)r[t]-=o*e[t];r[l]=o,r[l+1]=Math.exp(-e[l])},p=Math.log(r/i),m=Float64Array.from([...e.map(e=>e/i),0,0]),h=m;for(let e=400/c,t=0;t<2;t++,e/=400){let t=Array.from({length:401},(t,n)=>e*n/400);if(o(f,m,t,Le,Le*.001,(e,t)=>(m=h,h=t.slice(),t[l]>=p)),h[l]<p)break}let g=d(h,s,new Float64Array(l)),_=Array.from(h.subarray(0,l));return g<=1e-6*c?{time:1/0,unit:_}:{time:(h[l+1]+Math.exp(-h[l])/g)/i,unit:_}}let Ve=[`2`,`8`,`32`,`128`,`inf`];function He(e,t){let n=Array.from({length:e},(e,n)=>t**n),r=n.reduce((e,t)=>e+t,0);return n.map(t=>e*t/r)}function Ue(e){let[n,r,i]=[x(e,`dimension`),x(e,`heads`),x(e,`start`)],a=S(e,`length`),o={eigenvalues:He(n,x(e,`ratio`)),length:a===`inf`?1/0:Number(a)},s=S(e,`weights`)===`random`,c=t(5),l=()=>Array.from({length:n},()=>Number((i*c()).toPrecision(6))),u=e=>Array.from({length:n},(t,n)=>n===e?i:0),d=Array.from({length:r},(e,t)=>s?{key:l(),query:l(),value:l()[0]}:{key:u(t),query:u(t),value:t<n?i:0});return{task:o,start:i,random:s,heads:{key:d.map(({key:e})=>e),query:d.map(({query:e})=>e),value:d.map(({value:e})=>e)}}}function We({setting:{task:e},wins:t},n){let r=e.eigenvalues.map(()=>n.map(()=>0));for(let e of t)Ne(e,n).forEach((t,n)=>r[e.component][n]+=t);return r}function Ge(e,t,n){return Ae(e,Me(t.map(e=>e[n])),e.length)}let Ke=e=>[`dimension`,`ratio`,`length`,`heads`,`start`,`weights`].map(t=>e[t]).join(` `),qe;function Je(e){let t=Ke(e);if(qe?.key!==t){let n=Ue(e),{task:r,heads:i,start:a,random:o}=n,s=o?ze(r,i):Pe(r,i.value.length,a),c=s.map(e=>F(e,.5)),l=e=>e.filter(e=>Number.isFinite(e)&&e>0),u=1.4*(Math.max(...l(s.map(e=>F(e,.99))),0)||1),d=Math.min(.15*Math.min(...l(c),u),.02*u),f=Array.from({length:241},(e,t)=>d*(u/d)**(t/240)),p=We({setting:n,wins:s},f);qe={key:t,solution:{setting:n,wins:s,halves:c,times:f,strengths:p,loss:f.map((e,t)=>Ge(r,p,t)),levels:ke(r),ends:P(r).ends}}}return qe.solution}var Ye=class{task;value;key;query;map;size;s;b;gradient;up;down;constructor(e,{value:t,key:n,query:r}){this.task=e,this.size=e.eigenvalues.length,this.value=Float64Array.from(t),this.key=Float64Array.from(n.flat()),this.query=Float64Array.from(r.flat());let{s:i,c:a}=P(e);this.s=i,this.b=a.map((t,n)=>t/e.eigenvalues[n]),this.map=new Float64Array(this.size**2),this.gradient=new Float64Array(this.size**2),this.up=new Float64Array(this.size),this.down=new Float64Array(this.size),this.refresh()}refresh(){let{size:e,value:t,key:n,query:r,map:i}=this;i.fill(0);for(let a=0;a<t.length;a++)for(let o=0;o<e;o++){let s=t[a]*n[a*e+o];for(let t=0;t<e;t++)i[o*e+t]+=s*r[a*e+t]}for(let t=0;t<e;t++)for(let n=0;n<e;n++)this.gradient[t*e+n]=(t===n?this.s[t]:0)-this.b[t]*i[t*e+n]*this.task.eigenvalues[n]}step(e){let{size:t,value:n,key:r,query:i,gradient:a,up:o,down:s}=this;for(let c=0;c<n.length;c++){let[l,u]=[n[c],c*t],d=0;o.fill(0),s.fill(0);for(let e=0;e<t;e++)for(let n=0;n<t;n++){let c=a[e*t+n];o[e]+=c*i[u+n],s[n]+=c*r[u+e]}for(let n=0;n<t;n++)d+=r[u+n]*o[n],r[u+n]+=e*l*o[n],i[u+n]+=e*l*s[n];n[c]+=e*d}this.refresh()}};function*Xe(e){let t=Je(e),{setting:n,times:r}=t,{task:i,heads:a}=n,{c:o,ends:s}=P(i),c=new Ye(i,a),l=r[r.length-1],u=Math.max(...a.value.map(Math.abs),...a.key.flat().map(Math.abs),...a.query.flat().map(Math.abs)),d=Math.max(...o.map((e,t)=>3*e*Math.max(s[t]**(4/3),a.value.length*u**4))),f=Math.min(Math.max(.05/d,Math.min(l/4e5,.2/d)),l/500),p=Math.ceil(l/f),m={times:[],loss:[],maps:[],expected:[]},h=e=>{let n=Array.from(c.map);m.times.push(e*f),m.loss.push(Ae(i,n,i.length)),m.maps.push(n),m.expected.push(Ge(i,We(t,[e*f]),0))},g=(l/r[0])**(1/200),_=0;for(let e=0;e<=p;e++)(e>=_||e===p)&&(h(e),_=Math.max(e+1,Math.ceil(r[0]/f),Math.round(e*g))),e<p&&c.step(f),(e+1)%2e4==0&&(yield{...m});yield{...m}}let Ze=Array.from({length:49},(e,t)=>2**(t/6)),Qe=.5;function $e(e,t){let{setting:n,halves:r,times:i,strengths:a,loss:o,levels:s,ends:c}=Je(e),{task:l}=n,u=Math.round(x(e,`moment`)*240),d={label:`flow time`,values:i,log:!0,range:[i[0],i[240]]},f=i[u],p=l.eigenvalues.length,m=Me(a.map(e=>e[u])),h=t&&t.times.length>2?t:void 0,g=h?h.times.findIndex(e=>e>=.999*f):-1,_=g>=0?h.maps[g]:void 0,v=h&&b(h.times,h.expected,h.loss),y=e=>`component ${e+1} (λ = ${O(l.eigenvalues[e])})`,S=i.map((e,t)=>je(l,Me(a.map(e=>e[t])))),C=h?.maps.map(e=>je(l,e)),w=(e,t,n=`trained attention`,r=!0)=>({label:n,x:h.times.slice(1),y:e.slice(1),colour:t,role:`trained`,quiet:r}),T=[{id:`first`,label:`first component half learned`,value:r[0],unit:`flow time`},{id:`last`,label:`last component half learned`,value:r[r.length-1],unit:`flow time`},{id:`plateau`,label:`loss after the first drop`,value:s[1]},{id:`least`,label:`least loss possible`,value:s[p]},{id:`loss`,label:`loss at the moment`,value:o[u]},...v===void 0?[]:[{id:`area`,label:`area between prediction and network (∫|ΔL|/∫L)`,value:v}]],E=[{kind:`lines`,id:`loss`,title:`Loss, and the plateaus it is predicted to wait on`,wide:!0,x:d,y:{label:`loss`},moment:f,lines:[...h?[w(h.loss,6,`trained attention`,!1)]:[],{label:`prediction`,y:o,colour:6}],marks:s.map((e,t)=>({axis:`y`,at:e,label:t===0?`nothing learned`:`${A[t]??t} learned`,...t?{colour:(t-1)%6,side:`left`}:{}}))},{kind:`lines`,id:`strengths`,title:`Strength of each principal component`,x:d,y:{label:`strength eᵀMe`},moment:f,lines:[...h?l.eigenvalues.map((e,t)=>w(h.maps.map(e=>e[t*p+t]),t)):[],...a.map((e,t)=>({label:y(t),y:e,colour:t}))]},{kind:`lines`,id:`distance`,title:`Distance from regression on the first m components`,x:d,y:{label:`⟨(ŷ − ŷₘ)²⟩ / ⟨y²⟩`,range:[0,Math.max(...S.map(e=>Math.max(...e)))*1.05]},moment:f,lines:Array.from({length:p},(e,t)=>t+1).flatMap(e=>[...C?[w(C.map(t=>t[e]),e-1)]:[],{label:e===1?`m = 1`:`m = ${e}`,y:S.map(t=>t[e]),colour:e-1}])},...[[`predicted`,m],[`trained`,_]].flatMap(([e,t])=>t?[{kind:`heat`,id:`map_${e}`,title:e===`predicted`?`Predicted map M at the moment`:`Trained attention's map M`,label:`entry of M`,matrix:Array.from({length:p},(e,n)=>Array.from({length:p},(e,r)=>t[n*p+r])),rows:l.eigenvalues.map((e,t)=>`e${t+1}`),columns:l.eigenvalues.map((e,t)=>`e${t+1}`),bound:Math.max(...c)}]:[]),{kind:`lines`,id:`risk`,title:`Loss with n examples in the context, at the moment`,wide:!0,x:{label:`examples n`,values:Ze,log:!0,range:[1,256]},y:{label:`loss`},lines:[..._?[{label:`trained attention`,y:Ze.map(e=>Ae(l,_,e)),colour:6,role:`trained`}]:[],{label:`prediction`,y:Ze.map(e=>Ae(l,m,e)),colour:6},{label:`once all is learned`,y:Ze.map(e=>Ae(l,Me(c),e)),colour:2,role:`reference`,dash:`dash`}],marks:Number.isFinite(l.length)?[{axis:`x`,at:l.length,label:`N = ${l.length}`}]:[]}];return{sentence:et(e,v),numbers:T,charts:E}}function et(e,t){let{setting:n,wins:r,halves:i,levels:a}=Je(e),{task:o,random:s}=n,c=o.eigenvalues.length,l=n.heads.value.length,u=r.every(({component:e},t)=>e===t)?`, the one of largest variance first,`:``,d=Fe(r)<=Qe,f=i.map(O).join(`, `),p=r.length===1?`one principal component`:`${A[r.length]} principal components`;return`${`${l===1?`One head learns`:`${A[l]??l} heads learn`} ${p} of the inputs`.replace(/^./,e=>e.toUpperCase())}${r.length<2?`, half of it by t = ${f}`:d?` one after another${u} each half learned at t = ${f}`:`${u} so close together (t = ${f}) that their drops overlap and hardly leave plateaus`}${r.length<c?`; the loss ends at ${O(a[r.length])}, above the least possible ${O(a[c])}, because a head of rank one holds one component`:`; the loss ends at the least possible, ${O(a[c])}`}.${j(t,`The trained attention`,s?`heads of this size feel each other before they have turned to a component`:`the step of training is not small`)}`}function tt(e){let{task:t,heads:n}=Ue(e),r=n.value.length,i=[`x₁ y₁`,`x₂ y₂`,`…`,Number.isFinite(t.length)?`x y (${t.length})`:`x y (∞)`,`query x`],a=i.map((e,t)=>({x:5,y:1+1.7*t,shape:`square`,label:e,side:`left`,...t===4?{colour:1}:{}})),o=[],s=Math.min(1.7,6.8/Math.max(1,r-1));for(let e=0;e<r;e++){let t=a.length;a.push({x:10,y:4.4+s*(e-(r-1)/2),colour:e%6}),i.forEach((n,r)=>o.push({from:r,to:t,colour:e%6,weight:.6})),o.push({from:t,to:i.length+r,colour:e%6})}return a.push({x:15,y:4.4,label:`ŷ`,side:`right`}),{caption:`A sequence shows examples of a regression that is new each time, then a query; ${r===1?`one head`:`${A[r]??r} heads`} of linear attention must answer it from the context.`,nodes:a,links:o,words:[{x:5,y:9.6,text:`sequence`},{x:10,y:9.6,text:`heads v k qᵀ`},{x:15,y:9.6,text:`answer`}]}}let nt={id:`in_context`,title:`In context`,question:`How does attention learn to learn from the examples in its context?`,paper:{text:`Zhang, Singh, Latham and Saxe 2025, Training dynamics of in-context learning in linear attention`,href:`https://arxiv.org/abs/2501.16265`},terms:[`attention`,`component`,`strength`,`saddle`,`loss`,`flow`,`area`],theory:{text:`Every sequence shows N examples of a new linear regression and then a query. Attention without softmax answers with one matrix M between the correlation β of the examples and the query. With separate key and query of rank one, each head is a chain of three layers. From small weights the network waits at a saddle, learns the principal component of largest variance, waits at the next saddle, and so on: after m drops it does regression on the first m principal components in context. Heads that start on a component each are solved exactly. From random weights a head turns to a component while it is small; the time at which it would diverge says from which strength its chain starts.`,equations:[`ŷ = β^{T} M x_{q},  β = frac{1}{N} Σ_{n} y_{n} x_{n},  M = Σ_{h} v_{h} k_{h} q_{h}^{T}`,`frac{d u_{d}}{d t} = 3 u_{d}^{4/3} (s_{d} − c_{d} u_{d}),  s_{d} = λ_{d}^{2},  c_{d} = λ_{d}^{2} ( (1 + frac{1}{N}) λ_{d} + frac{Tr Λ}{N} )`,`L_{m} = frac{1}{2} ( Tr Λ − Σ_{d ≤ m} frac{s_{d}^{2}}{c_{d}} )`]},controls:[{kind:`slider`,id:`dimension`,label:`Dimension D`,min:2,max:5,step:1,value:3,help:`Number of input dimensions, and so of principal components.`},{kind:`slider`,id:`ratio`,label:`Ratio of neighbouring variances`,min:.4,max:.9,step:.05,value:.6,help:`Each principal component has this share of the variance of the one before; the mean variance is one.`,format:e=>e.toFixed(2)},{kind:`choice`,id:`length`,label:`Examples N in a sequence`,value:`32`,options:Ve.map(e=>({value:e,label:e===`inf`?`∞`:e})),help:`With few examples the correlation β is noisy, and the best answer shrinks.`},{kind:`slider`,id:`heads`,label:`Heads`,min:1,max:8,step:1,value:4,help:`Each head has rank one and can hold one principal component.`},{kind:`slider`,id:`start`,label:`Size of initial weights σ`,min:.01,max:.1,step:.05,value:.02,log:!0,help:`Standard deviation of random weights, or the size of value, key and query of heads on the components.`},{kind:`choice`,id:`weights`,label:`Heads start`,value:`random`,options:[{value:`random`,label:`at random`},{value:`aligned`,label:`on the components`}],help:`On the components the prediction is exact; at random it is the race of heads, an approximation for small weights.`},w(e=>`${Math.round(100*e)} %`)],schematic:tt,ask:{prompt:`In every sequence the network must find a new regression. How will its loss fall while it learns to do this?`,options:[`Smoothly from the beginning`,`In one drop, when it understands the task`,`In steps, one for each principal component of the inputs`],right:e=>Fe(Je(e).wins)<=Qe?2:0,because:`Key, query and value of a head multiply each other, so a head grows slowly while it is small and then suddenly, and the component of largest variance pulls hardest.`},view:$e,live:{label:`Train linear attention`,key:Ke,run:Xe},python:e=>{let{task:t,heads:n,random:r,start:i}=Ue(e),{times:a}=Je(e),o=Math.round(x(e,`moment`)*240),[s,c]=[t.eigenvalues.length,Number.isFinite(t.length)?t.length:`math.inf`],l=e=>JSON.stringify(e),u=r?`fs.initial.Weights([np.array(${l(n.query)}), np.array(${l(n.key)}), np.array(${l([n.value])})])`:`fs.attention.AlignedHeads(${i} ** 3)`;return[`import math`,``,`import numpy as np`,``,`import festina as fs`,``,`variances = ${x(e,`ratio`)} ** np.arange(${s})`,`task = fs.tasks.in_context_regression(${s} * variances / variances.sum(), length=${c})`,`initial = ${u}`,`network = fs.LinearAttention(heads=${n.value.length}, initial=initial)`,`method = ${S(e,`weights`)===`random`?`fs.Reduced()`:`fs.Exact()`}`,`path = fs.evolve(network, task, [0.0, ${k(a[o])}], method=method)`,`levels = task.plateaus`,...r?[`half = path.notes[\"times\"]`]:[`s, ends = task.eigenvalues[:${n.value.length}] ** 2, task.final_strengths[:${n.value.length}]`,`half = fs.linear.time_to_strength(0.5 * ends, s, s / ends, ${i} ** 3, 3)`],`numbers = {`,`    \"first\": float(half[0]),`,`    \"last\": float(half[-1]),`,`    \"plateau\": float(levels[1]),`,`    \"least\": float(levels[-1]),`,`    \"loss\": float(path.loss[-1]),`,`}`].join(`\n`)}};function L(e,t){return{rows:e,columns:t,data:new Float64Array(e*t)}}function rt(e){let t=L(e,e);for(let n=0;n<e;n++)t.data[n*e+n]=1;return t}function it(e){let t=L(e.length,e[0]?.length??0);return e.forEach((e,n)=>t.data.set(e,n*t.columns)),t}function R(e){return Array.from({length:e.rows},(t,n)=>Array.from(e.data.subarray(n*e.columns,(n+1)*e.columns)))}function at(e){return{rows:e.rows,columns:e.columns,data:e.data.slice()}}function ot(e,t){return Array.from({length:e.rows},(n,r)=>e.data[r*e.columns+t])}function z(e){let t=L(e.columns,e.rows);for(let n=0;n<e.rows;n++)for(let r=0;r<e.columns;r++)t.data[r*e.rows+n]=e.data[n*e.columns+r];return t}function B(e,t,n=L(e.rows,t.columns)){let{rows:r,columns:i}=e,a=t.columns,o=n.data;o.fill(0);for(let n=0;n<r;n++)for(let r=0;r<i;r++){let s=e.data[n*i+r];if(s!==0)for(let e=0;e<a;e++)o[n*a+e]+=s*t.data[r*a+e]}return n}function V(e,t,n=L(e.columns,t.columns)){let r=n.data;r.fill(0);for(let n=0;n<e.rows;n++)for(let i=0;i<e.columns;i++){let a=e.data[n*e.columns+i];if(a!==0)for(let e=0;e<t.columns;e++)r[i*t.columns+e]+=a*t.data[n*t.columns+e]}return n}function H(e,t,n=L(e.rows,t.rows)){let r=e.columns;for(let i=0;i<e.rows;i++)for(let a=0;a<t.rows;a++){let o=0;for(let n=0;n<r;n++)o+=e.data[i*r+n]*t.data[a*r+n];n.data[i*t.rows+a]=o}return n}function U(e,t){return{rows:e.rows,columns:e.columns,data:e.data.map(e=>t*e)}}function W(e,t){let n=0;for(let r=0;r<e.data.length;r++)n+=e.data[r]*t.data[r];return n}function st(e){let t=0;for(let n=0;n<Math.min(e.rows,e.columns);n++)t+=e.data[n*e.columns+n];return t}function ct(e,t,n,r,i,a,o){for(let s=0;s<n;s++){let n=e[s*t+r],c=e[s*t+i];e[s*t+r]=a*n-o*c,e[s*t+i]=o*n+a*c}}function lt(e,t){let n=e/(2*t),r=Math.abs(n)>1e150?Math.abs(n):Math.sqrt(1+n*n);return(n>=0?1:-1)/(Math.abs(n)+r)}function ut(e){let t=e.rows,n=at(e),r=rt(t),i=(e,r)=>n.data[e*t+r];for(let e=0;e<60;e++){let e=!1;for(let a=0;a<t-1;a++)for(let o=a+1;o<t;o++){let s=i(a,o);if(Math.abs(s)<=2**-52*.25*Math.sqrt(Math.abs(i(a,a)*i(o,o)))||s===0||Math.abs(s)<1e-300)continue;e=!0;let c=lt(i(o,o)-i(a,a),s),l=1/Math.sqrt(1+c*c),u=c*l;ct(n.data,t,t,a,o,l,u);for(let e=0;e<t;e++){let r=i(a,e),s=i(o,e);n.data[a*t+e]=l*r-u*s,n.data[o*t+e]=u*r+l*s}n.data[a*t+o]=n.data[o*t+a]=0,ct(r.data,t,t,a,o,l,u)}if(!e)break}let a=Array.from({length:t},(e,t)=>t).sort((e,t)=>i(t,t)-i(e,e));return{values:Float64Array.from(a,e=>i(e,e)),vectors:dt(r,a)}}function dt(e,t){let n=L(e.rows,t.length);for(let r=0;r<e.rows;r++)t.forEach((i,a)=>n.data[r*t.length+a]=e.data[r*e.columns+i]);return n}function ft(e){if(e.rows<e.columns){let{left:t,values:n,right:r}=ft(z(e));return{left:r,values:n,right:t}}let{rows:t,columns:n}=e,r=at(e),i=rt(n);for(let e=0;e<60;e++){let e=!1;for(let a=0;a<n-1;a++)for(let o=a+1;o<n;o++){let[s,c,l]=[0,0,0];for(let e=0;e<t;e++){let t=r.data[e*n+a],i=r.data[e*n+o];s+=t*t,c+=i*i,l+=t*i}if(l===0||Math.abs(l)<=2*2**-52*Math.sqrt(s*c))continue;e=!0;let u=lt(c-s,l),d=1/Math.sqrt(1+u*u);ct(r.data,n,t,a,o,d,u*d),ct(i.data,n,n,a,o,d,u*d)}if(!e)break}let a=Array.from({length:n},(e,t)=>Math.hypot(...ot(r,t))),o=a.map((e,t)=>t).sort((e,t)=>a[t]-a[e]),s=Float64Array.from(o,e=>a[e]),c=dt(r,o),l=2**-52*Math.max(t,n)*(s[0]??0),u=[];for(let e=0;e<n;e++){s[e]>l&&u.push(e);for(let r=0;r<t;r++)c.data[r*n+e]/=s[e]>l?s[e]:1/0}return{left:pt(c,u),values:s,right:dt(i,o)}}function pt(e,t){let n=at(e),r=[...t],i=0;for(let a=0;a<e.columns;a++)if(!t.includes(a)){for(;i<e.rows;i++){let t=new Float64Array(e.rows);t[i]=1;for(let i=0;i<2;i++)for(let i of r){let r=0;for(let a=0;a<e.rows;a++)r+=t[a]*n.data[a*e.columns+i];for(let a=0;a<e.rows;a++)t[a]-=r*n.data[a*e.columns+i]}let o=Math.hypot(...t);if(!(o<.5/Math.sqrt(e.rows))){for(let r=0;r<e.rows;r++)n.data[r*e.columns+a]=t[r]/o;break}}r.push(a)}return n}function mt(e){let t=ft(e),n=e=>{let t=L(e.rows,e.rows);for(let n=0;n<e.rows;n++)for(let r=0;r<e.columns;r++)t.data[n*e.rows+r]=e.data[n*e.columns+r];return pt(t,Array.from({length:e.columns},(e,t)=>t))};return{left:n(t.left),values:t.values,right:n(t.right)}}function ht(e,t=L(e.rows,e.columns)){let{rows:n,columns:r,data:i}=e,a=new Float64Array(r);for(let e=0;e<r;e++){let t=0;for(let a=e;a<n;a++)t=Math.max(t,Math.abs(i[a*r+e]));if(t===0)continue;let o=0;for(let a=e;a<n;a++)o+=(i[a*r+e]/t)**2;let s=t*Math.sqrt(o),c=i[e*r+e],l=c>0?-s:s,u=c-l;for(let t=e+1;t<n;t++)i[t*r+e]/=u;a[e]=-u/l,i[e*r+e]=l;for(let t=e+1;t<r;t++){let o=i[e*r+t];for(let a=e+1;a<n;a++)o+=i[a*r+e]*i[a*r+t];o*=a[e],i[e*r+t]-=o;for(let a=e+1;a<n;a++)i[a*r+t]-=o*i[a*r+e]}}t.data.fill(0);for(let e=0;e<r;e++)t.data[e*r+e]=1;for(let e=r-1;e>=0;e--)for(let o=e;o<r;o++){let s=t.data[e*r+o];for(let a=e+1;a<n;a++)s+=i[a*r+e]*t.data[a*r+o];s*=a[e],t.data[e*r+o]-=s;for(let a=e+1;a<n;a++)t.data[a*r+o]-=s*i[a*r+e]}return t}let gt=4*2**-52;function _t({first:e,second:t,cross:n,curvature:r,lambda:i}){let{left:a,values:o,right:s}=mt(n),c=o[0]??0,l=2**-52*Math.max(n.rows,n.columns)*c,u=o.map(e=>e>l?e:0);for(let e=0;e<u.length;){let t=e+1;for(;t<u.length&&u[t-1]-u[t]<=4*u.length*2**-52*c;)t++;let n=u.slice(e,t).reduce((e,t)=>e+t,0)/(t-e);u.fill(n,e,t),e=t}let d=r*Math.abs(i)/2,[f,p]=[new Float64Array(u.length),new Float64Array(u.length)];u.forEach((e,t)=>{let n=Math.hypot(e,d),r=n>0?Math.hypot(n+d,e):1;f[t]=n>0?(n+d)/r:1,p[t]=e/r});let m=Math.sqrt(r);return{left:a,right:s,s:u,large:f,small:p,qv:U(V(s,z(e)),m),qu:U(V(a,t),m)}}function vt(e){return Math.sqrt(W(e,e))}function yt(e,t){let{s:n,qv:r,qu:i}=e,a=n.length,o=r.columns,[s,c]=t>=0?[e.small,e.large]:[e.large,e.small],l=i.rows>a?i:r,u=i.rows>a?t/2:-t/2,d=a+a+l.rows-a,f=L(d,o),p=new Float64Array(d),m=new Float64Array(d),h=new Float64Array(d),[g,_]=[vt(r),vt(i)],v=gt*Math.sqrt(d),y=Math.abs(t)/2;for(let e=0;e<a;e++){for(let t=0;t<o;t++){let[n,l]=[r.data[e*o+t],i.data[e*o+t]];f.data[e*o+t]=s[e]*n+c[e]*l,f.data[(a+e)*o+t]=c[e]*n-s[e]*l}p[e]=v*(s[e]*g+c[e]*_),p[a+e]=v*(c[e]*g+s[e]*_),h[e]=Math.hypot(n[e],y),h[a+e]=-h[e],m[e]=m[a+e]=h[e]>0?n[e]*(n[e]/(h[e]+y)):0}for(let e=a;e<l.rows;e++)f.data.set(l.data.subarray(e*o,(e+1)*o),(a+e)*o),p[a+e]=v*vt(l),h[a+e]=u;return{m:f,noise:p,grows:Array.from({length:d},(e,t)=>t<a?h[t]>0:t>=2*a&&u>0),excess:m,phi:h}}function bt({m:e,noise:t,grows:n,excess:r,phi:i}){let{rows:a,columns:o}=e,s=e=>n[e]?r[e]:i[e],c=Array.from({length:a},(e,t)=>t);c.sort((e,t)=>n[e]===n[t]?s(t)-s(e)||e-t:n[e]?-1:1);let l=[];c.forEach((e,t)=>{let r=c[t-1];r!==void 0&&s(r)===s(e)&&n[r]===n[e]?l[l.length-1].push(e):l.push([e])});let u=new Int32Array(a),d=[],f=[],p=t=>e.data.subarray(t*o,(t+1)*o);l.forEach((e,n)=>{for(let t of e)u[t]=n;let r=d.length,i=e.map(e=>St(p(e),d)),a=e.map(e=>t[e]+Ct(p(e),d,f,p,t)),s=new Set(e.keys());for(let e of[...s])xt(i[e])>a[e]||s.delete(e);for(;s.size&&d.length<o;){let t=[...s].reduce((e,t)=>xt(i[t])>xt(i[e])?t:e),n=xt(i[t]);if(!(n>a[t]))break;let o=i[t].map(e=>e/n);d.push(o),f.push(e[t]),s.delete(t);for(let e of s)i[e]=St(i[e],d.slice(r))}});let m=L(d.length,a);return d.forEach((e,t)=>{for(let n=0;n<a;n++)m.data[t*a+n]=u[n]<u[f[t]]?0:G(e,p(n))}),{hat:m,leads:f}}function G(e,t){let n=0;for(let r=0;r<e.length;r++)n+=e[r]*t[r];return n}function xt(e){return Math.sqrt(G(e,e))}function St(e,t){let n=Float64Array.from(e);for(let e=0;e<2;e++){let e=t.map(e=>G(n,e));t.forEach((t,r)=>{for(let i=0;i<n.length;i++)n[i]-=e[r]*t[i]})}return n}function Ct(e,t,n,r,i){let a=new Float64Array(t.length),o=0;for(let s=t.length-1;s>=0;s--){let c=G(t[s],e);for(let e=s+1;e<t.length;e++)c-=G(t[s],r(n[e]))*a[e];a[s]=c/G(t[s],r(n[s])),o+=Math.abs(a[s])*i[n[s]]}return o}function wt({grows:e,excess:t,phi:n},{hat:r,leads:i},a){let o=n.length,s=i.length,c=o+s,[l,u,d,f]=[o,o,o,c].map(e=>new Float64Array(e)),p=new Float64Array(c*s),m=new Int32Array(c),h=L(c,s),g=L(c,s),_=new Float64Array(o*s),v=n.map(e=>Math.abs(e));return y=>{let b=a*y,x=Math.sqrt(y);for(let r=0;r<o;r++){let i=2*v[r]*y;l[r]=.5*Math.log(i>0?-Math.expm1(-i)/i:1),u[r]=(e[r]?t[r]*y:0)+l[r],d[r]=n[r]<0?Math.exp(-i/2):1}p.fill(0),f.fill(0);for(let t=0;t<s;t++){let n=i[t],a=0;for(let i=0;i<o;i++){let c=r.data[t*o+i];if(c===0)continue;let l=u[i]-u[n]-(!e[i]&&e[n]?b:0),d=l<0?c*Math.exp(l):c;p[i*s+t]=d,a=Math.max(a,Math.abs(d))}let l=Math.exp(-u[n]-(e[n]?b:0))/x;p[(c-1-t)*s+t]=l,a=Math.max(a,l);for(let e=0;e<c;e++){let n=p[e*s+t]/a;p[e*s+t]=n,Math.abs(n)>f[e]&&(f[e]=Math.abs(n))}}for(let e=0;e<c;e++){let t=e;for(;t>0&&f[m[t-1]]<f[e];t--)m[t]=m[t-1];m[t]=e}for(let e=0;e<c;e++)for(let t=0;t<s;t++)h.data[e*s+t]=p[m[e]*s+t];ht(h,g);for(let e=0;e<c;e++){let t=m[e];if(t>=o)continue;let n=d[t]*Math.exp(-l[t])/x;for(let r=0;r<s;r++)_[t*s+r]=n*g.data[e*s+r]}return _}}function Tt(e,t,n){let{left:r,values:i,right:a}=mt(e),o=L(t,e.columns),s=L(e.rows,t);for(let c=0;c<t;c++){let l=c<Math.min(e.rows,e.columns)?i[c]:0,u=Math.sqrt((Math.hypot(n,2*l)+Math.abs(n))/2),d=u>0?l/u:0,[f,p]=n>0?[d,u]:[u,d];for(let t=0;t<e.columns&&c<e.columns;t++)o.data[c*e.columns+t]=f*a.data[t*e.columns+c];for(let n=0;n<e.rows&&c<e.rows;n++)s.data[n*t+c]=p*r.data[n*e.rows+c]}return{first:o,second:s}}function K(e,t,n,r){return e.rows*W(t,r)+st(t)*st(n)+st(r)*st(e)+t.rows*W(e,n)}function Et(e,t,n,r){let i=Math.sqrt(K(e,t,e,t)*K(n,r,n,r));return i>0?Math.max(1-K(e,t,n,r)/i,0):0}function Dt(e){let{cross:t,curvature:n,lambda:r}=e,i=n*r,a=_t(e),o=yt(a,i),s=bt(o),c=a.s.length,[l,u]=i>=0?[a.small,a.large]:[a.large,a.small],d=1e290/(2*Math.max(1,...o.phi.map(Math.abs))),f=Math.sqrt(n),p=s.leads.length,m=wt(o,s,Math.abs(i)/2),h=L(t.columns,p),g=L(t.rows,p),_=L(t.rows,t.columns),[v,y]=[L(t.columns,t.columns),L(t.rows,t.rows)],b={r:U(H(a.qv,a.qv),1/n),a:U(H(a.qu,a.qu),1/n)},x=K(b.r,b.a,b.r,b.a),S=e=>{let n=m(Math.min(Math.max(e,1e-150),d));for(let e=0;e<p;e++){for(let t=0;t<c;t++){let r=n[t*p+e],i=n[(c+t)*p+e];h.data[t*p+e]=(l[t]*r+u[t]*i)/f,g.data[t*p+e]=(u[t]*r-l[t]*i)/f}for(let r=c;r<t.columns;r++)h.data[r*p+e]=n[(c+r)*p+e]/f;for(let r=c;r<t.rows;r++)g.data[r*p+e]=n[(c+r)*p+e]/f}},C=(e,t)=>{let n=B(e,t);return H(n,n)};return e=>{let r=[],i=[],o=Array.from({length:c},()=>[]);for(let s of e){S(s),H(g,h,_);for(let e=0;e<c;e++){let r=e*t.columns+e;o[e].push(_.data[r]),_.data[r]-=a.s[e]/n}r.push(.5*n*W(_,_)),H(h,h,v),H(g,g,y);let e=Math.sqrt(x*K(v,y,v,y));i.push(e>0?Math.max(1-K(b.r,b.a,v,y)/e,0):0)}let s=(t,n)=>(S(e[t]),n());return{loss:r,kernelDistance:i,strengths:o,input:e=>s(e,()=>C(a.right,h)),output:e=>s(e,()=>C(a.left,g)),map:e=>s(e,()=>H(B(a.left,g),B(a.right,h)))}}}let q=[1,.5,.25],Ot=[-1.6,.6,Math.sqrt(3-1.6**2-.6**2)],J=[.01,1e3],kt={square:{inputs:3,outputs:3,label:`square (3–3–3)`},funnel:{inputs:6,outputs:3,label:`funnel (6–3–3)`},fan:{inputs:3,outputs:6,label:`fan (3–3–6)`}};function At(e){let t=L(e,e);for(let n=0;n<e;n++)for(let r=0;r<e;r++)t.data[n*e+r]=Math.sqrt((r?2:1)/e)*Math.cos(Math.PI*(n+.5)*r/e);return t}function jt(e,t){let[n,r]=[At(t),At(e)],i=L(t,e);return Ot.forEach((a,o)=>{let[s,c]=[o,e-1-(o+1)%3];for(let o=0;o<t;o++)for(let l=0;l<e;l++)i.data[o*e+l]+=a*n.data[o*t+s]*r.data[l*e+c]}),i}function Mt(e){let{inputs:t,outputs:n}=kt[S(e,`shape`)]??kt.square,[r,i]=[x(e,`lambda`),x(e,`scale`)],a=L(n,t);q.forEach((e,n)=>a.data[n*t+n]=e);let o=jt(t,n),{first:s,second:c}=Tt(U(o,i),3,r),[l,u]=[q[0],q[q.length-1]],d=Math.log(.001/Math.hypot(l,r/2)),f=Math.log(1e3*Math.hypot(u,r/2)/u**2),p=[0,...Array.from({length:400},(e,t)=>Math.exp(d+(f-d)*t/399))];return{problem:{first:s,second:c,cross:a,curvature:1,lambda:r},lambda:r,scale:i,map:o,times:p}}function Nt({lambda:e,times:t},{loss:n,kernelDistance:r}){let i=Math.max(...r),a=Math.abs(e)/(2*q[0]),o=r.findIndex(e=>e>=i/2),s=r.findIndex(e=>e>=i/10),c=n[n.length-1];return{name:i<.1?`lazy`:a<=1?`rich`:`delayed rich`,distance:i,imbalance:a,delay:t[o],lazyShare:n[0]>c?(n[0]-n[s])/(n[0]-c):0}}function Pt(e,t,n,r){let i=n[0]+r*(n[n.length-1]-n[0]),a=n.findIndex(e=>e<=i);if(a<=0)return 0;let[o,s]=[t[a-1],t[a]],[c,l]=[n[a-1]-i,n[a]-i];for(let t=0;t<40&&s-o>1e-13*s;t++){let n=o+(s-o)*c/(c-l),r=1e-9*(s-o)+1e-14*s,a=t%4==3?.5*(o+s):Math.min(Math.max(n+(t%2?r:-r),o+r),s-r),u=e([a]).loss[0]-i;u<=0?[s,l]=[a,u]:[o,c]=[a,u]}return .5*(o+s)}let Ft=e=>[`lambda`,`scale`,`shape`].map(t=>e[t]).join(` `),It;function Lt(e){let t=Ft(e);if(It?.key!==t){let n=Mt(e),r=Dt(n.problem),i=r(n.times),[a,o]=[.1,.9].map(e=>Pt(r,n.times,i.loss,e));It={key:t,solution:{setting:n,path:r,found:i,regime:Nt(n,i),wait:a/o}}}return It.solution}function Y(e,t,n,r){let i=L(e,t);for(let e=0;e<i.data.length;e++)i.data[e]=n*r();return i}function Rt(e,t,n){return ht(Y(e,t,1,n))}function zt(e,t,n,r,i,a){let o=e.columns,s=[e,...Array.from({length:r-1},()=>Rt(n,o,a)),t],c=i**(1/r);return Array.from({length:r},(e,t)=>{let n=H(s[t+1],s[t]);return n.data.forEach((e,t)=>n.data[t]=c*e),n})}var Bt=class{cross;curvature;weights;below;above;miss;back;change;constructor(e,t,n){this.cross=t,this.curvature=n,this.weights=e.map(at),this.below=[rt(t.columns),...e.map(e=>L(e.rows,t.columns))],this.above=[...e.map(e=>L(t.rows,e.columns)),rt(t.rows)],this.miss=L(t.rows,t.columns),this.back=e.map(e=>L(e.rows,t.columns)),this.change=e.map(e=>L(e.rows,e.columns)),this.refresh()}refresh(){let e=this.weights.length;this.below[1].data.set(this.weights[0].data);for(let t=1;t<e;t++)B(this.weights[t],this.below[t],this.below[t+1]);this.above[e-1].data.set(this.weights[e-1].data);for(let t=e-2;t>0;t--)B(this.above[t+1],this.weights[t],this.above[t]);let t=this.map.data,{data:n}=this.miss;for(let e=0;e<n.length;e++)n[e]=this.cross.data[e]-this.curvature*t[e]}get map(){return this.below[this.weights.length]}get loss(){return W(this.miss,this.miss)/(2*this.curvature)}hidden(e){return this.below[e]}step(e){let t=this.weights.length;for(let n=0;n<t;n++){let r=n===t-1?this.miss:V(this.above[n+1],this.miss,this.back[n]),i=n===0?r:H(r,this.below[n],this.change[n]),{data:a}=this.weights[n];for(let t=0;t<a.length;t++)a[t]+=e*i.data[t]}this.refresh()}};function Vt(e,t,n){let r=B(e,n);return Array.from({length:n.columns},(e,n)=>{let i=0;for(let e=0;e<t.rows;e++)i+=t.data[e*t.columns+n]*r.data[e*r.columns+n];return i})}function*Ht(e){let{problem:t}=Mt(e),{first:n,second:r,cross:i}=t,a=Dt(t),o=new Bt([n,r],i,1),s=e=>Math.sqrt(e.data.reduce((e,t)=>e+t*t,0)),c=.05/Math.max(s(n)**2+s(r)**2,2*q.length*Math.hypot(q[0],t.lambda/2)),l=Math.min(Math.ceil(J[1]/c),4e5),u={r:V(n,n),a:H(r,r)},d={times:[],loss:[],moved:[],strengths:q.map(()=>[]),expected:[],rate:c},f=e=>{let[t,n]=o.weights;d.times.push(e*c),d.loss.push(o.loss),d.expected.push(a([e*c]).loss[0]),d.moved.push(Et(u.r,u.a,V(t,t),H(n,n))),q.forEach((e,t)=>d.strengths[t].push(o.map.data[t*o.map.columns+t]))},[p,m]=[0,0];for(let e=0;e<=l;e++)(e>=p||e===l)&&(f(e),p=Math.max(e+1,Math.round(e*1.05))),e<l&&o.step(c),m+=12*i.data.length*3,m>15e5&&(m=0,yield{...d});yield{...d}}function Ut(e,t){let{setting:n,path:r,found:i,regime:a,wait:o}=Lt(e),{problem:s,lambda:c,times:l}=n,u=l.map((e,t)=>t).filter(e=>l[e]>J[0]/1.1&&l[e]<J[1]*1.1),d=e=>u.map(t=>e[t]),f={label:`flow time`,values:d(l),log:!0,range:J},p=J[0]*(J[1]/J[0])**x(e,`moment`),m=[{label:`prediction`,y:d(i.loss),colour:6}],h=[{label:`prediction`,y:d(i.kernelDistance),colour:6}],g,_=i.strengths.map((e,t)=>({label:`mode ${t+1} (s = ${q[t]})`,y:d(e),colour:t})),v=[{id:`kernel_distance`,label:`farthest kernel distance`,value:a.distance},{id:`imbalance`,label:`imbalance |λ|/2s`,value:a.imbalance},{id:`delay`,label:`kernel half way at`,value:a.delay,unit:`flow time`},{id:`lazy_share`,label:`share learned before the kernel turned`,value:a.lazyShare},{id:`wait`,label:`wait: time to 10 % over time to 90 % learned`,value:o}];if(t&&t.times.length>2){let e=t.times.slice(1);m.unshift({label:`trained network`,x:e,y:t.loss.slice(1),colour:6,role:`trained`}),h.unshift({label:`trained network`,x:e,y:t.moved.slice(1),colour:6,role:`trained`}),_.unshift(...t.strengths.map((t,n)=>({label:`trained network`,x:e,y:t.slice(1),colour:n,role:`trained`,quiet:!0}))),g=b(t.times,t.expected,t.loss),v.push({id:`area`,label:`area between prediction and network (∫|ΔL|/∫L)`,value:g})}let y=r([p]),S=Array.from({length:s.cross.columns},(e,t)=>`${t+1}`),C=Array.from({length:s.cross.rows},(e,t)=>`${t+1}`);return{sentence:Gt(n,a,o)+j(g,`The trained network`,`the step of training is not small for weights of this size`),numbers:v,charts:[{kind:`lines`,id:`loss`,title:`Loss`,x:f,y:{label:`loss`},lines:m,moment:p},{kind:`lines`,id:`kernel`,title:`Turn of the tangent kernel`,x:f,y:{label:`kernel distance`,range:[0,1]},lines:h,moment:p,marks:[{axis:`y`,at:.1,label:`lazy below`,side:`left`}]},{kind:`lines`,id:`strengths`,title:`Strength of each mode of the task`,x:f,y:{label:`strength uᵀW₂W₁v`},lines:_,moment:p},Wt(c,n.scale),{kind:`heat`,id:`input`,title:`Input representation W₁ᵀW₁`,label:`similarity of inputs`,matrix:R(y.input(0)),rows:S,columns:S},{kind:`heat`,id:`output`,title:`Output representation W₂W₂ᵀ`,label:`similarity of outputs`,matrix:R(y.output(0)),rows:C,columns:C}]}}function Wt(e,t){let n={s:q[0],d:1},r=Math.min(t,.1),i=e=>{let[t,i]=[0,1e3];for(let a=0;a<80;a++){let a=.5*(t+i);ve([a],n,r,e)[0]>=.5?i=a:t=a}return i},a=Array.from({length:121},(e,t)=>t/30),o=e=>{let t=i(e);return ve(a.map(e=>e*t),n,r,e)};return{kind:`lines`,id:`shape`,title:`Sigmoid to exponential: one mode from ${O(r)}`,x:{label:`time over the mode's half time`,values:a,range:[0,4]},y:{label:`strength over its end`,range:[0,1.02]},lines:[{label:`balanced`,y:o(0),colour:6,dash:`dot`,role:`reference`},{label:`|λ| → ∞`,y:a.map(e=>1-(1-r)*(.5/(1-r))**e),colour:6,dash:`dash`,role:`reference`},{label:`here, λ = ${O(e)}`,y:o(e),colour:0}]}}function Gt({lambda:e,scale:t},{name:n,distance:r,delay:i,lazyShare:a},o){let s=e>0?`the output layer is the stronger`:e<0?`the input layer is the stronger`:`the layers are balanced`,c=n===`lazy`?`learning is lazy: the kernel turns by ${O(r)} at most, and representations stay near where they started`:n===`rich`?`learning is rich: the kernel turns by ${O(r)}, half of it by t = ${O(i)}, and representations take the task's form`:`learning is delayed rich: ${D(a)} of the loss goes while the kernel hardly moves, then it turns by ${O(r)}, half of it by t = ${O(i)}`,l=o>.15?`in sigmoids, after a wait`:o>.03?`almost exponentially`:`fast at first, with a long tail`;return`At λ = ${O(e)} and scale ${O(t)} ${s} and ${c}; the loss falls ${l}.`}function Kt(e){let{problem:t,lambda:n}=Mt(e),r=new T(8),i=r.column(3,E(t.cross.columns),`inputs`),a=r.column(9,E(3),`hidden units`),o=r.column(15,E(t.cross.rows),`outputs`),[s,c]=[Math.sqrt(Math.max(1-n/3,.5)),Math.sqrt(Math.max(1+n/3,.5))];r.join(i,a,()=>({weight:s,colour:0})),r.join(a,o,()=>({weight:c,colour:1})),r.word(6,-.4,`W₁`),r.word(12,-.4,`W₂`);let l=n>0?`the output layer W₂ starts stronger`:n<0?`the input layer W₁ starts stronger`:`both layers start equally strong`;return r.done(`A linear network of two layers learns a map with three modes; ${l}.`)}let qt={id:`rich_and_lazy`,title:`Rich and lazy`,question:`Does a network learn features, or does it only combine those it starts with?`,paper:{text:`Dominé et al. 2025, From lazy to rich: exact learning dynamics in deep linear networks`,href:`https://arxiv.org/abs/2409.14623`},terms:[`rich`,`kernel`,`balance`,`mode`,`strength`,`flow`,`area`],theory:{text:`Two layers keep the difference W₂ᵀW₂ − W₁W₁ᵀ while they learn. Where it is λ·1 and inputs are white, learning is solved exactly from any such start. Small λ and small weights are rich: the tangent kernel turns and representations take the task's form, in a sigmoid. Large |λ| is lazy in a square network, with an exponential; in a funnel (more inputs than outputs) only λ > 0 is lazy, while λ < 0 first learns lazily and turns its kernel later, after a time of order |λ|/s²; in a fan it is the other way round.`,equations:[`W_{2}^{T} W_{2} − W_{1} W_{1}^{T} = λ 1,  Q = ( W_{1}^{T} ; W_{2} )`,`frac{d}{d t} (Q Q^{T}) = F Q Q^{T} + Q Q^{T} F − (Q Q^{T})^{2},  F = ( −frac{λ}{2}, Σ_{yx}^{T} ; Σ_{yx}, frac{λ}{2} )`,`\"one aligned mode:\"  frac{d a}{d t} = sqrt{λ^{2} + 4 a^{2}} (s − a)`,`K = 1 ⊗ X W_{1}^{T} W_{1} X^{T} + W_{2} W_{2}^{T} ⊗ X X^{T},  \"distance\" = 1 − frac{⟨K_{0}, K⟩}{‖K_{0}‖ ‖K‖}`]},controls:[{kind:`slider`,id:`lambda`,label:`Imbalance λ`,min:-10,max:10,step:.25,value:0,help:`W₂ᵀW₂ − W₁W₁ᵀ = λ·1; above 0 the output layer is the stronger.`},{kind:`slider`,id:`scale`,label:`Scale of the start`,min:.001,max:3,step:.05,value:.01,log:!0,help:`Root-mean-square singular value of the map W₂W₁ at time 0; the task's is about 0.78.`},{kind:`choice`,id:`shape`,label:`Shape`,value:`square`,options:Object.entries(kt).map(([e,{label:t}])=>({value:e,label:t})),help:`Inputs, hidden units, outputs.`},w(e=>`t = ${O(J[0]*(J[1]/J[0])**e)}`)],schematic:Kt,ask:{prompt:`Both layers start small and equally strong. Will the network keep the features it starts with, or learn its own?`,options:[`It keeps them and combines them: lazy learning`,`It learns its own: rich learning`],right:e=>Lt(e).regime.name===`lazy`?0:1,because:`Small weights have to turn towards the task before they can grow; only where one layer is much stronger can the other learn alone and leave the features as they are.`},view:Ut,live:{label:`Train the network`,key:Ft,run:Ht},python:e=>{let{problem:t,lambda:n,scale:r,map:i,times:a}=Mt(e),o=e=>JSON.stringify(R(e));return[`import numpy as np`,`import scipy`,``,`import festina as fs`,``,`x = ${t.cross.columns} ** 0.5 * np.eye(${t.cross.columns})`,`task = fs.Task(x, x @ np.array(${o(z(t.cross))}))`,`initial = fs.initial.Balanced(${r}, lambda_=${n}, map=${o(i)})`,`network = fs.DeepLinear(hidden=(3,), initial=initial)`,`regime = network.regime(task)`,`loss = lambda t: float(fs.evolve(network, task, np.array([t])).loss[0])`,`latest = ${k(a[a.length-1])}`,`begin, end = loss(0.0), loss(latest)`,`lose = lambda share: scipy.optimize.brentq(lambda t: loss(t) - begin - share * (end - begin), 0.0, latest, xtol=1e-14)`,`numbers = {`,`    \"kernel_distance\": regime.kernel_distance,`,`    \"imbalance\": abs(initial.lambda_) / 2,`,`    \"delay\": regime.delay,`,`    \"lazy_share\": regime.lazy_share,`,`    \"wait\": lose(0.1) / lose(0.9),`,`}`].join(`\n`)}};function X(e,t){return Array.from({length:e},(e,n)=>t(n))}function Jt(e){let t=2**e;return X(t,String).map((n,r)=>{let i=[];for(let n=0;n<=e;n++)for(let e=0;e<2**n;e++)i.push(+(Math.floor(r*2**n/t)===e));return i})}function Yt(e){return X(e,String).map((t,n)=>X(e,String).map((e,t)=>+(t<=n)))}function Xt(e,t){return X(e*t,String).map((n,r)=>X(e,String).map((e,n)=>+(Math.floor(r/t)===n)))}function Zt(e){let t=e.reduce((e,t)=>e*t,1);return X(t,String).map((n,r)=>{let[i,a,o]=[[],r,t];for(let t of e){o/=t;let e=Math.floor(a/o);a-=e*o,i=i.concat(X(t,String).map((t,n)=>+(n===e)))}return i})}function Qt(e,t,n){let r=L(t.rows,t.columns);for(let i=0;i<t.rows;i++)for(let a=0;a<t.columns;a++)r.data[i*t.columns+a]=t.data[i*t.columns+a]*Math.sqrt(n*Math.max(e[a],0));return B(r,z(t))}function $t(e,t,n,r){let i=e**t,a=L(i,i);for(let r=0;r<i;r++)for(let o=0;o<i;o++){let s=t;for(let[t,n]=[r,o];t!==n;[t,n]=[Math.floor(t/e),Math.floor(n/e)])s--;a.data[r*i+o]=(1-2*n)**(2*(t-s))}let{values:o,vectors:s}=ut(a);return Qt(o,s,r)}function en(e,t,n,r){let i=L(e,e);for(let t=0;t<e;t++)i.data[t*e+t]=1/r**2;for(let[n,r]of t)i.data[n*e+n]+=1,i.data[r*e+r]+=1,--i.data[n*e+r],--i.data[r*e+n];let{values:a,vectors:o}=ut(i);return Qt(a.map(e=>1/e),o,n)}function tn(e,t,n){return en(e,X(e,String).map((t,n)=>[n,(n+1)%e]),t,n)}function nn(e,t,n,r){let i=[];for(let n=0;n<e*t;n++)(n+1)%t&&i.push([n,n+1]),n+t<e*t&&i.push([n,n+t]);return en(e*t,i,n,r)}function rn(e){let{y:t}=e,n=t.rows,r=ft(t),i=r.values[0]??0,a=r.values.filter(e=>e>1e-12*i).length,o=r.values.slice(0,a),s=[];for(let e=0;e<a;e++)e>0&&o[e-1]-o[e]<=1e-9*i?s[s.length-1].push(e):s.push([e]);let c=L(n,a);for(let e of s){let i=e.reduce((e,t)=>e+o[t],0)/e.length,s=e.length>1?sn(t,r.left,e,i):e.map(e=>on(an(r.left,e)));e.forEach((e,t)=>{o[e]=i;for(let r=0;r<n;r++)c.data[r*a+e]=s[t][r]})}let l=B(z(t),c);for(let e=0;e<l.rows;e++)for(let t=0;t<a;t++)l.data[e*a+t]/=o[t];return{s:o.map(e=>e/n),d:1/n,targets:o,left:l,right:c,groups:s}}function an(e,t){return Array.from({length:e.rows},(n,r)=>e.data[r*e.columns+t])}function on(e){return e.reduce((e,t)=>Math.abs(t)>Math.abs(e)+1e-9?t:e,0)<0?e.map(e=>-e):e}function sn(e,t,n,r){let i=n.map(e=>an(t,e)),a=(e,t)=>e.reduce((e,n,r)=>e+n*t[r],0),o=(e,t,n)=>e.map((e,r)=>e-n*t[r]),s=[],c=[...Array.from({length:e.columns},(t,n)=>an(e,n)),...i.map(e=>e.map(e=>r*e))];for(let t of c){let c=Array(e.rows).fill(0);for(let e of i)c=o(c,e,-a(t,e));for(let e=0;e<2;e++)for(let e of s)c=o(c,e,a(c,e));let l=Math.sqrt(a(c,c));if(!(l<.05*r)&&(s.push(on(c.map(e=>e/l))),s.length===n.length))break}return s}let cn=[`canary`,`robin`,`salmon`,`sunfish`,`oak`,`pine`,`rose`,`daisy`],ln=[`grow`,`move`,`roots`,`fly`,`swim`,`bark`,`petals`,`sing`,`red breast`,`pink flesh`,`round body`,`acorns`,`needles`,`thorns`,`white rays`],un=e=>X(e,e=>`item ${e+1}`),dn=[{id:`hierarchy`,label:`Hierarchy`,items:cn,branches:X(8,String).map((e,t)=>t>>1),properties:ln,y:it(Jt(3)),python:`fs.tasks.living_things(8).statistics.strengths`},{id:`partition`,label:`Partition`,items:X(9,e=>`${`abc`[Math.floor(e/3)]}${e%3+1}`),branches:X(9,String).map((e,t)=>Math.floor(t/3)),properties:[`group a`,`group b`,`group c`],y:it(Xt(3,3)),python:`fs.tasks.partition(3, 3).statistics.strengths`},{id:`ring`,label:`Ring`,items:un(8),properties:X(8,e=>`feature ${e+1}`),y:tn(8,8,2),python:`fs.tasks.mode_strengths(\"ring\", 8, features=8, sigma=2.0)`},{id:`ordering`,label:`Ordering`,items:un(8),properties:X(8,e=>`at least ${e+1}`),y:it(Yt(8)),python:`fs.tasks.ordering(8).statistics.strengths`},{id:`crossing`,label:`Cross-cutting dimensions`,items:X(8,e=>`${e&4?`large`:`small`} ${e&2?`red`:`blue`} ${e&1?`disc`:`cube`}`),branches:X(8,String).map((e,t)=>t>>2),properties:[`small`,`large`,`blue`,`red`,`cube`,`disc`],y:it(Zt([2,2,2])),python:`fs.tasks.dimensions((2, 2, 2)).statistics.strengths`},{id:`grid`,label:`Grid`,items:X(9,e=>`${`abc`[Math.floor(e/3)]}${e%3+1}`),branches:X(9,String).map((e,t)=>Math.floor(t/3)),properties:X(9,e=>`feature ${e+1}`),y:nn(3,3,9,2),python:`fs.tasks.mode_strengths(\"grid\", 3, 3, features=9, sigma=2.0)`},{id:`tree`,label:`Random tree`,items:X(8,e=>`${(e>>2)+1}.${(e>>1&1)+1}.${(e&1)+1}`),branches:X(8,String).map((e,t)=>t>>1),properties:X(8,e=>`feature ${e+1}`),y:$t(2,3,.1,8),python:`fs.tasks.mode_strengths(\"tree\", 2, 3, flip=0.1, features=8)`}],fn=[0,.15,.45];function pn(e){let{rows:t,columns:n}=e,r=L(t,n);for(let i=0;i<n;i++){let a=0;for(let r=0;r<t;r++)a+=e.data[r*n+i]/t;for(let o=0;o<t;o++)r.data[o*n+i]=e.data[o*n+i]-a}let{values:i,vectors:a}=ut(H(r,r)),o=L(t,t);for(let e=0;e<t;e++)for(let n=0;n<t;n++)o.data[e*t+n]=a.data[e*t+n]*Math.sqrt(Math.max(i[n],0));return o}function mn(e){let{rows:t,columns:n}=e,r=new Float64Array(t*t);for(let i=0;i<t;i++)for(let a=0;a<i;a++){let o=0;for(let t=0;t<n;t++)o+=(e.data[i*n+t]-e.data[a*n+t])**2;r[i*t+a]=r[a*t+i]=Math.sqrt(o)}return r}function hn(e){let t=mn(e),n=t.reduce((e,t)=>e+t*t,0),r=pn(e);return fn.map(i=>{let a=L(e.rows,2);for(let t=0;t<e.rows;t++)for(let e=0;e<r.columns;e++)a.data[2*t+e%2]+=r.data[t*r.columns+e]*(e<2?1:i*(e%4<2?1:-1));for(let e=0;e<300;e++)a=gn(a,t);let o=mn(a),s=n>0?Math.sqrt(t.reduce((e,t,n)=>e+(t-o[n])**2,0)/n):0;return{points:a,stress:s}}).reduce((e,t)=>t.stress<e.stress-1e-6?t:e)}function gn(e,t){let n=e.rows,r=mn(e),i=L(n,2);for(let a=0;a<n;a++)for(let o=0;o<n;o++){let s=r[a*n+o];if(a===o||s===0)continue;let c=t[a*n+o]/s/n;i.data[2*a]+=c*(e.data[2*a]-e.data[2*o]),i.data[2*a+1]+=c*(e.data[2*a+1]-e.data[2*o+1])}return i}function _n(e,t){let{left:n,right:r}=ft(V(e,t));return H(n,r)}function vn(e,t){return B(e,_n(e,t))}let yn=/* @__PURE__ */ new Map;function bn(e){let t=yn.get(e);if(!t){let n=dn.find(t=>t.id===e)??dn[0];t={structure:n,...rn(n)},yn.set(e,t)}return t}function Z(e,t){return{s:e.s[t],d:e.d}}function xn(e){let t=bn(S(e,`structure`)),n=S(e,`depth`),r=n===`inf`?1/0:Number(n),i=x(e,`start`),a=t.groups.map(([e])=>N(.98*t.targets[e],Z(t,e),i,r)),o=1.08*Math.max(...a);return{task:t,depth:r,start:i,end:o,times:Array.from({length:201},(e,t)=>o*t/200)}}function Sn({task:e,depth:t,start:n},r){return e.groups.map(([i])=>ge(r,Z(e,i),n,t))}function Cn(e,t,n){return e.groups.reduce((r,i,a)=>r+.5*e.d*i.length*(t[a][n]-e.targets[i[0]])**2,0)}function wn(e){return e===1||e===1/0?1:1/e}let Tn=/* @__PURE__ */ new Map;function En({task:e,depth:t}){let n=`${e.structure.id} ${t}`,r=Tn.get(n);return r||(r=V(e.right,hn(On(e,t)).points),Tn.set(n,r)),r}function Dn(e,t,n){let r=L(e.right.rows,e.right.columns);return e.groups.forEach((i,a)=>{let o=Math.max(n[a],0)**wn(t);for(let t of i)for(let n=0;n<r.rows;n++)r.data[n*r.columns+t]=o*e.right.data[n*r.columns+t]}),r}function On(e,t){return Dn(e,t,e.groups.map(([t])=>e.targets[t]))}function kn(e,t){let n=En(e),{task:r,depth:i}=e,a=L(n.rows,2);return r.groups.forEach(e=>{let t=r.targets[e[0]]**-wn(i);for(let r of e)for(let e=0;e<2;e++)a.data[2*r+e]=t*n.data[2*r+e]}),R(B(t,a))}function*An(e){let n=xn(e),{task:r,depth:i,start:a,end:o}=n;if(i===1/0)return;let[s,c,l]=[r.right.rows,r.left.rows,r.right.columns+2],u=t(7),d=jn(r,i,l,a,S(e,`weights`)===`random`,u),f=new Bt(d,U(z(r.structure.y),1/s),r.d),p=ye(Z(r,0),i),m=Math.min(Math.max(.1*p,o/4e4),.5*p,o/600),h=Math.ceil(o/m),g={times:[],loss:[],strengths:Array.from({length:r.s.length},()=>[]),places:[],answers:[],expected:[],rate:m},_=e=>{g.times.push(e*m),g.loss.push(f.loss),Vt(f.map,r.left,r.right).forEach((e,t)=>g.strengths[t].push(e)),g.answers.push(R(z(f.map)));let t=Sn(n,[e*m]),a=t.map(([e])=>e);g.expected.push(Cn(r,t,0));let o=wn(i)===1?f.map:f.hidden(1);g.places.push(kn(n,vn(z(o),Dn(r,i,a))))},v=d.reduce((e,t)=>e+t.rows*t.columns*(s+c)*2,0)+c*s*l*i*2,y=0,b=0;for(let e=0;e<=h;e++)(e>=b||e===h)&&(_(e),b=Math.max(e+1,Math.round(g.times.length*h/159))),e<h&&f.step(m),y+=v,y>6e6&&(y=0,yield{...g});yield{...g}}function jn(e,t,n,r,i,a){let[o,s,c]=[e.right.rows,e.left.rows,e.right.columns];if(!i)return zt(e.right,e.left,n,t,r,a);if(t===1)return[Y(s,o,r,a)];let l=Math.sqrt(2*r/n);return t===2?[Y(n,o,l,a),Y(s,n,l,a)]:zt(Rt(o,c,a),Rt(s,c,a),n,t,r,a)}function Mn(e){let t=e.split(` `);return t.length>2?t.map(([e])=>e).join(``):e}function Nn(e,t){let[n,r]=[e[0]+1,e[e.length-1]+1];return`${n===r?`mode ${n}`:`modes ${n}–${r}`} (s = ${O(t)})`}function Pn(e,t){let n=xn(e),{task:r,depth:i,start:a,end:o,times:s}=n,c=Sn(n,s),l=s.map((e,t)=>Cn(r,c,t)),u=Math.round(x(e,`moment`)*200),d=i===1/0?`depth × flow time`:`flow time`,f={label:d,values:s,range:[0,o]},p=s[u],m=r.groups.map(([e])=>N(.5*r.targets[e],Z(r,e),a,i)),h=Z(r,0),g=[.1,.9].map(e=>N(e*r.targets[0],h,a,i)),_=r.groups.map((e,t)=>({label:Nn(e,r.s[e[0]]),y:c[t],colour:t%6,...t>=6?{dash:`dash`}:{}})),v=[{id:`first`,label:`strongest mode half learned`,value:m[0],unit:d},{id:`last`,label:`weakest mode half learned`,value:m[m.length-1],unit:d},{id:`rise`,label:`its rise (10 to 90 %) over its half time`,value:(g[1]-g[0])/m[0]},{id:`loss`,label:`loss at the moment`,value:l[u]}],y=[{label:`prediction`,y:l,colour:6}],C,w,T;if(t&&t.times.length>1){let e=r.groups.flatMap((e,n)=>e.map(e=>({label:`trained network`,x:t.times,y:t.strengths[e],colour:n%6,role:`trained`,quiet:!0})));_.unshift(...e),y.unshift({label:`trained network`,x:t.times,y:t.loss,colour:6,role:`trained`}),T=b(t.times,t.expected,t.loss),v.push({id:`area`,label:`area between prediction and network (∫|ΔL|/∫L)`,value:T});let n=t.times.findIndex(e=>e>=s[u]-1e-9*o);n>=0&&([C,w]=[t.places[n],t.answers[n]])}let E=Array.from({length:40},(e,t)=>Math.round(u*t/39)).map(e=>kn(n,Dn(r,i,c.map(t=>t[e])))),D=r.structure.items.map((e,t)=>({label:Mn(e),x:E[39][t][0],y:E[39][t][1],colour:r.structure.branches?r.structure.branches[t]%6:0,trail:E.map(e=>e[t])})),O=Math.max(...kn(n,On(r,i)).flat().map(Math.abs)),k=[-1.25*O,1.25*O],A=B(r.left,z(Fn(r,c,u))),M=Math.max(...r.structure.y.data),ee=(e,t,n)=>({kind:`heat`,id:e,title:t,label:`answer`,matrix:n,rows:r.structure.items,columns:r.structure.properties,bound:M}),te=S(e,`weights`)===`random`?`random weights first have to turn towards the modes`:`the step of training is not small at this start`;return{sentence:In(n,m,(g[1]-g[0])/m[0])+(i===1/0?` No network of infinitely many layers can be trained; this is the limit that deeper and deeper networks approach.`:j(T,`The trained network`,te)),numbers:v,charts:[{kind:`lines`,id:`strengths`,title:`Strength of each mode`,x:f,y:{label:`strength a`},lines:_,moment:p},{kind:`lines`,id:`loss`,title:`Loss`,x:f,y:{label:`loss`},lines:y,moment:p},{kind:`scatter`,id:`representation`,equal:!0,title:`${wn(i)===1?`Answers to the items`:`Items in the first hidden layer`}${C?` (pale: the trained network)`:``}`,x:{label:`dimension 1`,range:k},y:{label:`dimension 2`,range:k},points:[...(C??[]).map(([e,t])=>({label:``,x:e,y:t,colour:6,ring:!0})),...D]},{kind:`heat`,id:`vectors`,title:`Which items a mode tells apart (v)`,label:`entry of v`,tall:!0,matrix:R(z(r.right)),rows:r.groups.flatMap(e=>e.map(e=>`mode ${e+1}`)),columns:r.structure.items},ee(`answers`,`Predicted answers at the moment`,R(z(A))),w?ee(`network_answers`,`The trained network's answers`,w):ee(`targets`,`What it is to answer`,R(r.structure.y))]}}function Fn(e,t,n){let r=L(e.right.rows,e.right.columns);return e.groups.forEach((i,a)=>{for(let o of i)for(let i=0;i<r.rows;i++)r.data[i*r.columns+o]=t[a][n]*e.right.data[i*r.columns+o]}),r}function In({task:e,depth:t,start:n},r,i){let[a,o]=[r[0],r[r.length-1]];if(t===1)return`One layer learns all modes at once: each closes its gap at the same rate d = ${O(e.d)}, however strong it is, and is half learned at t ≈ ${O(a)}; there are no stages.`;let s=t===1/0?`Infinitely many layers`:`${{2:`Two`,3:`Three`,4:`Four`,6:`Six`}[t]??t} layers`,c=i<.5?`suddenly, after a long wait`:i<1.2?`in a sigmoid`:`gradually, because it starts large`;return e.groups.length===1?`${s} learn all modes together from strength ${O(n)}, because they are equally strong: each is half learned at ${O(a)} and rises ${c}.`:`${s} learn one mode after another from strength ${O(n)}: the strongest is half learned at ${O(a)}, the weakest at ${O(o)}, ${O(o/a)} times later; each rises ${c}.`}function Ln(e){let{task:t,depth:n}=xn(e),{items:r,properties:i,branches:a}=t.structure,o=new T(9),s=e=>({colour:a?a[e]%6:0}),c=n===1/0?4:n,l=o.column(6,r.map(Mn),`items`,e=>({...s(e),side:`left`}));for(let e=1;e<c;e++){let t=o.column(6+9*e/c,E(5),n===1/0&&e===2?`…`:c===2?`hidden units`:``);o.join(l,t,t=>e===1?{...s(t),weight:.7}:{weight:.7}),l=t}let u=o.column(15,E(Math.min(i.length,9)),`properties`);o.join(l,u,e=>c===1?{...s(e),weight:.7}:{weight:.7});let d=n===1/0?`infinitely many layers`:n===1?`one layer`:`${{2:`two`,3:`three`,4:`four`,6:`six`}[n]??n} layers`;return o.done(`A linear network of ${d} of weights learns which of ${i.length} properties each of ${r.length} items has.${a?` Items of one branch share a colour.`:``}`)}let Rn={id:`modes`,title:`Modes`,question:`In which order does a deep linear network learn what there is to learn?`,paper:{text:`Saxe, McClelland & Ganguli 2014, Exact solutions to the nonlinear dynamics of learning in deep linear neural networks`,href:`https://arxiv.org/abs/1312.6120`},terms:[`mode`,`strength`,`singular`,`loss`,`flow`,`area`],theory:{text:`The correlation of items with properties is a sum of modes, Σyx = U S Vᵀ. From small weights that are equally strong in every layer each mode grows by itself, and the strong ones first: broad distinctions before fine ones. One layer has no such stages; more layers wait longer and then rise more suddenly. The map shows where items are once all is learned, with distances kept as well as a plane can; each mode moves them along a straight line of it. The structures are those of Saxe, McClelland & Ganguli 2019.`,equations:[`frac{d u}{d t} = D u^{2−2/D} (s − d u),  L = frac{1}{2} Σ d (u − frac{s}{d})^{2}`,`D = 1:  u(t) = frac{s}{d} (1 − e^{−d t}) + u_{0} e^{−d t}`,`D = 2:  u(t) = frac{s / d}{1 − (1 − frac{s}{d u_{0}}) e^{−2 s t}}`,`D → ∞,  T = D t:  u(T) = frac{s / d}{1 + W_{0}( z_{0} e^{z_{0} − s^{2} T / d} )},  z_{0} = frac{s}{d u_{0}} − 1`]},controls:[{kind:`choice`,id:`structure`,label:`Structure`,value:`hierarchy`,options:dn.map(({id:e,label:t})=>({value:e,label:t})),help:`What the items have in common.`},{kind:`choice`,id:`depth`,label:`Layers`,value:`2`,help:`Number of weight layers D.`,options:[...[`1`,`2`,`3`,`4`,`6`].map(e=>({value:e,label:e})),{value:`inf`,label:`∞`}]},{kind:`slider`,id:`start`,label:`Initial strength u₀`,min:1e-5,max:.2,step:.05,value:.001,log:!0,help:`Strength of every mode at time 0: the product over all layers.`},w(e=>`${Math.round(100*e)} %`),{kind:`choice`,id:`weights`,label:`Trained network starts`,value:`aligned`,help:`The prediction assumes a start on the modes; from random weights of the same size deep networks come later.`,options:[{value:`aligned`,label:`on the modes`},{value:`random`,label:`at random`}]}],schematic:Ln,ask:{prompt:`The network is to learn the properties of eight living things. When will it know that a canary is not a fish?`,options:[`Before it can tell animals from plants`,`After it can tell animals from plants, before it can tell a canary from a robin`,`Last of all, because a canary and a fish are both animals`],right:e=>{let{task:t,start:n,depth:r}=xn(e),[,i,a,o]=t.groups.map(([e])=>N(.5*t.targets[e],Z(t,e),n,r));return a<i?0:a<(o??1/0)?1:2},because:`Broad distinctions are shared by more items, so their modes are stronger and are learned earlier.`},view:Pn,live:{label:`Train a linear network`,impossible:e=>S(e,`depth`)===`inf`?`No network of infinitely many layers can be trained.`:void 0,key:e=>[`structure`,`depth`,`start`,`weights`].map(t=>e[t]).join(` `),run:An},python:e=>{let{task:t,depth:n,start:r,times:i}=xn(e),a=Math.round(x(e,`moment`)*200);return[`import math`,``,`import festina as fs`,``,`s = ${t.structure.python}`,`d, depth, start = 1 / ${t.structure.items.length}, ${n===1/0?`math.inf`:n}, ${r}`,`reach = lambda share, s: fs.linear.time_to_strength(share * s / d, s, d, start, depth)`,`half = reach(0.5, s)`,`now = fs.linear.strength(${k(i[a])}, s, d, start, depth)`,`numbers = {`,`    \"first\": float(half[0]),`,`    \"last\": float(half[-1]),`,`    \"rise\": float((reach(0.9, s[0]) - reach(0.1, s[0])) / half[0]),`,`    \"loss\": float(0.5 * d * sum((now - s / d) ** 2)),`,`}`].join(`\n`)}};function zn({rateH:e,rateY:t,dx:n,y:r,h:i}){return i-e/t*n*r/i}function Bn({rateH:e,rateY:t,dx:n,dy:r}){return Math.sqrt(e/t*n*r)}function Vn(e,t){let n=.5*Math.abs(e)+.5*Math.hypot(e,2*t);return e>=0?n:t/(n>0?n:1)*t}function Hn(e){let[t,n]=[zn(e),Bn(e)],r=Math.hypot(t,2*n),i=Vn(t,n),a=Vn(-t,n);return[{h:0,eigenvalues:[e.rateY*i,-e.rateY*a]},{h:i,eigenvalues:[-e.rateY*r/2,-e.rateY*i]}]}function Un(e,t){return e===0?t:Math.expm1(e*t)/e}function Wn(e,t){let{dx:n,dy:r,rateH:i,rateY:a,h:o,y:s,w:c}=e,l=Math.sqrt(n*i*a)/2,u=Math.sqrt(2*o/(n*i)),d=Math.sqrt(2*s/(o*a)),f=s*r>0?Math.min(1,Math.max(-1,(s-c)/Math.sqrt(s*r))):0,p=d*f,m=d*Math.sqrt((1-f)*(1+f)),h=-a*zn(e)/4,g=l*Math.sqrt(r),_=Math.hypot(h,g),[v,y]=h>=0?[g,_+h]:[_-h,g],b=Math.hypot(v,y),[x,S]=b>0?[v/b,y/b]:[1,0],C=x*u+S*p,w=S*u-x*p,T=h<=0?_-h:_>0?g**2/(_+h):0,E={h:[],y:[],w:[],error:[]},D=Math.sqrt(r);for(let e of t){let t=Math.min(e,1e300),r=Math.exp(-2*_*t),a=Un(-2*_,t),o=h<=0?r*Un(2*h,t):Math.exp(-2*T*t)*Un(-2*h,t),s=r+l**2*(C**2*a+w**2*r*a+m**2*o),c=Math.sqrt(s),u=e=>s>0?e/c:0,d=u(x*C+S*w*r),f=l*d*u(S*C-x*w*r),p=l*d*u(m*Math.exp(-T*t));E.h.push(n*i/2*d**2),E.y.push(f**2+p**2),E.w.push(f*(f-D)+p**2),E.error.push((f-D)**2+p**2)}return E}function Gn(e){return{...e,dy:0,w:e.y}}function Kn(e,t){let n=t=>Wn(e,[t]).error[0],[r,i]=[n(0),n(1/0)],a=r+t*(i-r);if(!(r>i))return 0;let o=e=>n(e)<=a,s=1/(e.rateY+e.rateH);for(let e=0;e<200&&!o(s);e++)s*=2;let c=0;for(let e=0;e<100&&s-c>1e-14*s;e++){let e=.5*(s+c);o(e)?s=e:c=e}return s}let Q=[4,32,32,32,3];var qn=class{weights;activity;slopes;targets;constructor(e,n){let r=t(n);this.weights=Q.slice(1).map((e,t)=>Y(e,Q[t],1/Math.sqrt(Q[t]),r)),this.activity=Q.map(e=>L(e,2)),this.slopes=Q.map(e=>L(e,2));let i=Xn(Jn(Q[0],r)),a=Xn(Zn(Jn(Q[0],r),i));i.forEach((t,n)=>{this.activity[0].data[2*n]=a[n]-t*e.dx/2,this.activity[0].data[2*n+1]=a[n]+t*e.dx/2});let o=this.weights.length;this.forward(),this.rescale(0,2,e.encoder*e.dx/Yn(this.difference(2))),this.rescale(2,o,e.decoder*e.encoder*e.dx/Yn(this.difference(o)));let s=Xn(this.difference(o)),c=Xn(Zn(Jn(s.length,r),s)),l=Math.sqrt(1-e.cosine**2);this.targets=L(s.length,2),s.forEach((t,n)=>{let r=e.dy*(e.cosine*t+l*c[n])/2,i=.5*(this.activity[o].data[2*n]+this.activity[o].data[2*n+1]);this.targets.data[2*n]=i-r,this.targets.data[2*n+1]=i+r})}rescale(e,t,n){let r=n**(1/(t-e));for(let n=e;n<t;n++)this.weights[n].data.forEach((e,t,n)=>n[t]=r*e);this.forward()}forward(){let e=this.weights.length;for(let t=0;t<e;t++){let{data:n}=B(this.weights[t],this.activity[t],this.activity[t+1]),r=this.slopes[t+1].data;for(let i=0;i<n.length;i++)r[i]=t===e-1||n[i]>0?1:.2,n[i]*=r[i]}}difference(e){let{data:t,rows:n}=this.activity[e];return Array.from({length:n},(e,n)=>t[2*n+1]-t[2*n])}get state(){let[e,t]=[this.difference(2),this.difference(this.weights.length)],n=t.reduce((e,t)=>e+t*t,0),r=n-t.reduce((e,t,n)=>e+t*(this.targets.data[2*n+1]-this.targets.data[2*n]),0);return{h:e.reduce((e,t)=>e+t*t,0),y:n,w:r}}get loss(){return this.activity[this.weights.length].data.reduce((e,t,n)=>e+(t-this.targets.data[n])**2,0)/4}descent(){let e=this.weights.length,t=L(Q[e],2);t.data.forEach((n,r)=>t.data[r]=(this.targets.data[r]-this.activity[e].data[r])/2);let n=[];for(let r=e-1;r>=0;r--)n.unshift(H(t,this.activity[r])),t=V(this.weights[r],t),t.data.forEach((e,n)=>t.data[n]=e*this.slopes[r].data[n]);return n}step(e){this.descent().forEach((t,n)=>{let{data:r}=this.weights[n];for(let n=0;n<r.length;n++)r[n]+=e*t.data[n]}),this.forward()}};function Jn(e,t){return Array.from({length:e},t)}function Yn(e){return Math.hypot(...e)}function Xn(e){let t=Yn(e);return e.map(e=>e/t)}function Zn(e,t){let n=e.reduce((e,n,r)=>e+n*t[r],0);return e.map((e,r)=>e-n*t[r])}let Qn=Array.from({length:33},(e,t)=>-2+t/8),$n=[-.5,0,.5],er=Math.log(1e8);function tr(e,t,n){let{times:r,h:i,y:a,w:o}=e,s=r.map((e,t)=>.5*((r[t+1]??e)-(r[t-1]??e))),c=r.map(e=>e-r[0]),l=e=>({dx:t,dy:n,rateH:Math.exp(e[0]),rateY:Math.exp(e[1]),h:i[0],y:a[0],w:o[0]}),u=r.map((e,t)=>t),d=(e,t)=>{let n=Wn(l(e),t.map(e=>c[e])),r=new Float64Array(3*t.length);return t.forEach((e,t)=>{let c=Math.sqrt(s[e]);r[3*t]=(n.h[t]-i[e])*c,r[3*t+1]=(n.y[t]-a[e])*c,r[3*t+2]=(n.w[t]-o[e])*c}),r},f=e=>e.reduce((e,t)=>e+t*t,0),p=u.length<=100?u:Array.from({length:100},(e,t)=>Math.round(t*(u.length-1)/99)),[m,h]=nr(e,t),g=[m,h],_=1/0;for(let e of Qn)for(let t of $n){let n=[m+Math.LN10*e,h+Math.LN10*(e+t)],r=f(d(n,p));r<_&&([g,_]=[n,r])}g=rr(e=>d(e,u),g);let v=u.reduce((e,t)=>e+s[t]*(i[t]**2+a[t]**2+o[t]**2),0);return{pair:l(g),error:Math.sqrt(f(d(g,u))/v)}}function nr({times:e,h:t,y:n,w:r},i){let[a,o,s,c,l]=[0,0,0,0,0];e.forEach((u,d)=>{d>0&&(a+=.5*(r[d]+r[d-1])*(u-e[d-1])),o+=-i*a*(t[d]-t[0]),s+=(i*a)**2;let f=t[d]*(t[d]-t[0])/i;c+=f*(n[d]-n[0]/t[0]*t[d]),l+=f**2});let u=(e,t,n)=>e/t>0&&Number.isFinite(e/t)?e/t:n,d=u(o,s,1/(e[e.length-1]-e[0]));return[Math.log(d),Math.log(d*u(c,l,1))]}function rr(e,t){let n=[...t],r=e(n),i=r.reduce((e,t)=>e+t*t,0),a=.001;for(let o=0;o<60;o++){let o=[0,1].map(t=>{let r=1e-5,[i,a]=[r,-1e-5].map(r=>e(t===0?[n[0]+r,n[1]]:[n[0],n[1]+r]));return i.map((e,t)=>(e-a[t])/(2*r))}),s=(e,t)=>e.reduce((e,n,r)=>e+n*t[r],0),[c,l,u]=[s(o[0],o[0]),s(o[0],o[1]),s(o[1],o[1])],[d,f]=[s(o[0],r),s(o[1],r)],p=!1;for(;!p&&a<0xe8d4a51000;){let[o,s]=[c*(1+a),u*(1+a)],m=o*s-l*l;if(!(m>0))return n;let h=[(l*f-s*d)/m,(l*d-o*f)/m],g=e=>Math.max(t[e]-er,Math.min(t[e]+er,n[e]+Math.max(-1,Math.min(1,h[e])))),_=[g(0),g(1)],v=e(_),y=v.reduce((e,t)=>e+t*t,0);if(p=y<=i,p){let e=Math.hypot(...h)<1e-11||i-y<=1e-15*i;if([n,r,i,a]=[_,v,y,a/10],e)return n}else a*=10}if(!p)return n}return n}let ir=6e4;function*ar(e){let t={dx:x(e,`dx`),dy:x(e,`dy`),cosine:x(e,`cosine`),encoder:x(e,`encoder`),decoder:x(e,`decoder`)};for(let e=.1;e>1e-12;e/=3)if(yield*or(t,e/4))return}function*or(e,t){let n=new qn(e,1),r=n.loss,i={times:[],h:[],y:[],w:[]},a=()=>({...i,rate:t,fit:tr(i,e.dx**2,e.dy**2)}),[o,s]=[1,ir];for(let e=0;e<=s;e++){if(e%o===0){let{h:r,y:a,w:s}=n.state;if(i.times.push(e*t),i.h.push(r),i.y.push(a),i.w.push(s),i.times.length>320){let e=e=>e.filter((e,t)=>t%2==0);i={times:e(i.times),h:e(i.h),y:e(i.y),w:e(i.w)},o*=2}}n.step(t);let{loss:c}=n;if(!(c<=1.5*r)&&c>1e-12)return!1;c<=1e-4*r&&s===ir&&(s=Math.min(ir,Math.ceil(1.33*e)+4)),(e+1)%200==0&&(yield a())}return yield a(),!0}let sr=Array.from({length:73},(e,t)=>10**(-2+t/24));function cr(e,t=x(e,`encoder`),n=x(e,`decoder`)){let r=x(e,`dx`)**2,i=x(e,`dy`)**2,a=t**2*r,o=n**2*a;return{dx:r,dy:i,rateH:x(e,`rate_h`),rateY:x(e,`rate_y`),h:a,y:o,w:o-x(e,`cosine`)*Math.sqrt(o*i)}}function lr(e){return Vn(zn(e),Bn(e))}function ur(e,t){let n=cr(e),[r,i]=Hn(n),[a,o]=[zn(n),Bn(n)],[s,c]=[Kn(n,.1),Kn(n,.9)],l=c>0?s/c:0,u=Math.min(...i.eigenvalues.map(Math.abs)),d=Math.min(Math.max(1.6*c,c+4/u),4*c)||1,f=Array.from({length:241},(e,t)=>d*t/240),p=Wn(n,f),m=Wn(Gn(n),f),h={label:`time (in the unit of τ)`,values:f,range:[0,d]},g=[{axis:`x`,at:s,label:`10 %`},{axis:`x`,at:c,label:`90 %`}],_=Math.min(...p.h),v=Math.round(x(e,`moment`)*240),y=f[v],b=_<.1*Math.min(n.h,i.h),S=[{label:`h`,y:p.h,colour:0},{label:`h if targets were equal`,y:m.h,colour:0,role:`reference`,dash:`dash`}];return{sentence:mr(n,i.h,l,b)+pr(t),numbers:[{id:`final`,label:`final distance h∞`,value:i.h},{id:`low`,label:`A low: what the task asks for`,value:o},{id:`high`,label:`A high: what the start leaves`,value:a},{id:`escape`,label:`growth rate away from h = 0`,value:r.eigenvalues[0],unit:`1/time`},{id:`settle`,label:`slowest rate at the end`,value:u,unit:`1/time`},{id:`wait`,label:`plateau: time to 10 % over time to 90 % learned`,value:l},...t?dr(t):[]],charts:[{kind:`lines`,id:`h`,title:`Distance of the two representations`,x:h,y:{label:`h = ‖h₂ − h₁‖²`},lines:S,moment:y,marks:[{axis:`y`,at:i.h,label:`h∞`,side:`left`}]},{kind:`lines`,id:`outputs`,title:`Distance of the two outputs`,x:h,y:{label:`squared distance`},lines:[{label:`y = ‖ŷ₂ − ŷ₁‖²`,y:p.y,colour:2},{label:`w = y − (ŷ₂ − ŷ₁)·(y₂ − y₁)`,y:p.w,colour:3,dash:`dash`}],moment:y,marks:[{axis:`y`,at:n.dy,label:`target`,side:`left`}]},...t?fr(t):[],{kind:`lines`,id:`error`,title:`Error of the difference, and its plateau`,x:h,y:{label:`squared error`},lines:[{label:`2w − y + ‖y₂ − y₁‖²`,y:p.error,colour:1}],marks:g,moment:y},{kind:`scatter`,id:`phase`,title:`From the start past the saddle to the end`,x:{label:`h`},y:{label:`w`},points:[{label:``,x:p.h[v],y:p.w[v],colour:0,trail:p.h.slice(0,v+1).map((e,t)=>[e,p.w[t]])},{label:`end`,x:i.h,y:0,colour:2},{label:`saddle`,x:r.h,y:0,colour:6},{label:`start`,x:n.h,y:n.w,colour:1}]},{kind:`lines`,id:`gains`,title:`Final distance from other starts`,wide:!0,x:{label:`gain`,values:sr,log:!0,range:[.01,10]},y:{label:`h∞ = final ‖h₂ − h₁‖²`,log:!0},lines:[{label:`other encoder gains`,y:sr.map(t=>lr(cr(e,t))),colour:0},{label:`other decoder gains`,y:sr.map(t=>lr(cr(e,void 0,t))),colour:1,dash:`dashdot`},...o>0?[{label:`A low, what the task asks for`,y:sr.map(()=>o),colour:2,role:`reference`,dash:`dash`}]:[]],marks:[{axis:`x`,at:x(e,`encoder`),label:`encoder`,colour:0},{axis:`x`,at:x(e,`decoder`),label:`decoder`,colour:1}]}]}}function dr({fit:e,h:t}){return[{id:`fit_error`,label:`theory with fitted rates against network`,value:e.error},{id:`fit_h`,label:`network's 1/τh`,value:e.pair.rateH,unit:`1/time`},{id:`fit_y`,label:`network's 1/τy`,value:e.pair.rateY,unit:`1/time`},{id:`fit_final`,label:`h∞ at these rates`,value:lr(e.pair)},{id:`network_final`,label:`network's h now`,value:t[t.length-1]}]}function fr(e){let{times:t,fit:n}=e,r=Wn(n.pair,t),i={label:`flow time of the network`,values:t},a=(t,n)=>[{label:`${t}, trained network`,y:e[t],colour:n,role:`trained`},{label:`${t}, theory with fitted rates`,y:r[t],colour:n}];return[{kind:`lines`,id:`network_h`,title:`A leaky-ReLU network from this start`,x:i,y:{label:`h = ‖h₂ − h₁‖²`},lines:a(`h`,0)},{kind:`lines`,id:`network_y`,title:`Its outputs`,x:i,y:{label:`squared distance`},lines:[...a(`y`,2),...a(`w`,3).map((e,t)=>t?{...e,dash:`dash`}:e)]}]}function pr(e){if(!e)return` The comparison with a trained network follows when one has been trained.`;let{error:t}=e.fit,n=D(t);return t<=.05?` With its two rates fitted, the theory follows the trained network to ${n} of the curves' size.`:` With its two rates fitted, the theory still misses the trained network by ${n} of the curves' size, which is seen in the charts below: the theory takes encoder and decoder for linear maps with constant rates, and in a network of this size the rates change while it learns.`}function mr(e,t,n,r){let i=Bn(e);return`${e.dy===0?t>0?`The targets are equal, and yet the representations stay ${O(t)} apart: what the start leaves, because the decoder learns to ignore their difference`:`The targets are equal and the representations merge: the encoder learns to drop their difference`:Math.abs(t/i-1)<.1?`The distance ends at ${O(t)}, set by inputs and targets alone (which ask for ${O(i)}): the rich regime`:t>i?`The distance ends at ${O(t)}, above the ${O(i)} that inputs and targets ask for: large encoder weights are kept, the lazy regime`:`The distance ends at ${O(t)}, below the ${O(i)} that inputs and targets ask for: a strong decoder needs little difference`}; the error falls ${n>.5?`after a long plateau, because it starts near the saddle h = 0`:n>.2?`after a short plateau`:`without a plateau`}${r?`, and on the way the two points nearly merge`:``}.`}function hr(e){let[t,n]=[x(e,`dx`),x(e,`dy`)],r=new T(7),i=e=>.7+Math.min(e,3)*.8,a=(e,t,n)=>n.map((n,i)=>r.node({x:e,y:3.5+(i?t:-t),shape:`square`,colour:i,label:n,side:e<5?`left`:`right`})),[o,s]=[a(3,i(t),[`x₁`,`x₂`]),a(17,i(n),[`y₁`,`y₂`])],c=i(Math.sqrt(t*n)),l=a(10,c,[``,``]);return r.word(10,3.5-c-.95,`h₁`),r.word(10,3.5+c+.95,`h₂`),[0,1].forEach(e=>{r.join([o[e]],[l[e]],()=>({colour:e,weight:1.6})),r.join([l[e]],[s[e]],()=>({colour:e,weight:1.6}))}),r.word(6.5,3.5,`encoder`),r.word(13.7,3.5,`decoder`),r.word(3,8,`inputs`),r.word(10,8,`representations`),r.word(17,8,`targets`),r.done(`Two inputs pass through an encoder and a decoder; the distances of inputs and targets are given, that of the representations is learned.`)}let gr={id:`two_points`,title:`Two points`,question:`How far apart will a network represent two inputs that it learns together?`,paper:{text:`van Rossem & Saxe 2024, When representations align: universality in representation learning dynamics`,href:`https://arxiv.org/abs/2402.09142`},terms:[`representation`,`encoder`,`saddle`,`rich`,`flow`],theory:{text:`Whatever the architecture, if encoder and decoder are flexible enough to act as linear maps on two nearby points, three numbers follow closed equations: the squared distances of the representations (h) and of the outputs (y), and w, which compares outputs with targets. They are solved here in closed form. h = 0 is a saddle: small weights wait near it, which is the plateau. The end is fixed by A low, which knows inputs and targets only, and by A high, what is left of the start. The network beside it (4–32–32–32–3, leaky ReLU, representation in the middle) starts with the same gains, distances and cosine; its two rates are not known beforehand and are fitted to its curves.`,equations:[`frac{d h}{d t} = −frac{1}{τ_{h}} dx w`,`frac{d y}{d t} = −w ( frac{h}{τ_{y}} + frac{1}{τ_{h}} frac{dx y}{h} )`,`frac{d w}{d t} = −frac{1}{2 τ_{y}} (3 w − y + dy) h − frac{1}{2 τ_{h}} dx frac{(y + w) w}{h}`,`h_{∞} = frac{1}{2} A_{high} + sqrt{frac{1}{4} A_{high}^{2} + A_{low}^{2}}`,`A_{high} = h_{0} − frac{τ_{y}}{τ_{h}} frac{dx y_{0}}{h_{0}},  A_{low}^{2} = frac{τ_{y}}{τ_{h}} dx dy`]},controls:[{kind:`slider`,id:`encoder`,label:`Encoder gain`,min:.01,max:10,step:.05,value:.1,log:!0,help:`‖h₂ − h₁‖ over ‖x₂ − x₁‖ at time 0.`},{kind:`slider`,id:`decoder`,label:`Decoder gain`,min:.01,max:10,step:.05,value:.1,log:!0,help:`‖ŷ₂ − ŷ₁‖ over ‖h₂ − h₁‖ at time 0.`},{kind:`slider`,id:`cosine`,label:`Initial cosine`,min:-1,max:1,step:.05,value:0,help:`Cosine between the outputs' and the targets' difference at time 0; below 0 the points must first merge.`},{kind:`slider`,id:`dx`,label:`Distance of inputs`,min:.1,max:3,step:.05,value:.5,help:`‖x₂ − x₁‖.`},{kind:`slider`,id:`dy`,label:`Distance of targets`,min:0,max:3,step:.05,value:1,help:`‖y₂ − y₁‖.`},{kind:`slider`,id:`rate_h`,label:`Encoder rate 1/τh`,min:.05,max:5,step:.05,value:.5,log:!0,help:`Effective learning rate of the encoder.`},{kind:`slider`,id:`rate_y`,label:`Decoder rate 1/τy`,min:.05,max:5,step:.05,value:.5,log:!0,help:`Effective learning rate of the decoder.`},w(e=>`${Math.round(100*e)} %`)],schematic:hr,ask:{prompt:`A network with small weights learns different targets for two inputs. What decides how far apart it will represent them in the end?`,options:[`Where its weights happened to start`,`The distances of inputs and targets alone`],right:e=>{let t=cr(e);return+(Math.abs(lr(t)/Bn(t)-1)<.1)},because:`From small weights every network passes close to the same saddle, at which it has forgotten its start.`},view:ur,live:{label:`Train a leaky-ReLU network`,key:e=>[`encoder`,`decoder`,`cosine`,`dx`,`dy`].map(t=>e[t]).join(` `),run:ar},python:e=>{let{rateH:t,rateY:n}=cr(e),r=t=>k(x(e,t));return[`import scipy`,``,`import festina as fs`,``,`dx, dy = ${r(`dx`)} ** 2, ${r(`dy`)} ** 2`,`h = ${r(`encoder`)} ** 2 * dx`,`y = ${r(`decoder`)} ** 2 * h`,`w = y - ${r(`cosine`)} * (y * dy) ** 0.5`,`pair = fs.representation.TwoPoint(dx=dx, dy=dy, rates=(${t}, ${n}), start=(h, y, w))`,`saddle, end = pair.fixed_points`,``,``,`def error(t):`,`    state = pair.solve(t)`,`    return float(2 * state.w - state.y + pair.dy)`,``,``,`def lose(share):`,`    goal, latest = error(0.0) + share * (error(float('inf')) - error(0.0)), 1.0`,`    while error(latest) > goal:`,`        latest *= 2`,`    return scipy.optimize.brentq(lambda t: error(t) - goal, 0.0, latest, xtol=1e-14)`,``,``,`numbers = {`,`    \"final\": pair.final_distance,`,`    \"low\": pair.low,`,`    \"high\": pair.high,`,`    \"escape\": saddle.eigenvalues[0],`,`    \"settle\": min(map(abs, end.eigenvalues)),`,`    \"wait\": lose(0.9) and lose(0.1) / lose(0.9),`,`}`].join(`\n`)}},_r=Math.sqrt(2/3);function vr(e){return{name:`linear`,pathways:2,s:e/2,d:e*e/2}}function yr(e){let t=2+e*e;return{name:`xor`,pathways:4,s:Math.sqrt(t)/4,d:t/4}}function br(e,t,n,r){return r===0?0:r/(r*(t>0?-Math.expm1(-2*t*e)*n/t:2*n*e)+Math.exp(-2*t*e))}function xr(e,t){return e>0?Math.log1p(t*e)/e:t}function Sr(e,t,n){return Math.floor(t/e.pathways)*n*n/2}function Cr(e,t,n,r){let{pathways:i,s:a,d:o}=e;if(a===0)return .5;let s=br(t*xr(a,n),a,o,r);return .5-i*a*s+.5*i*o*s*s}function wr(e,t,n,r){let{s:i,d:a}=e;if(i===0||r===0)return 1/0;let o=1-Math.sqrt(2*t),s=r*a/i;return s>=o?0:Math.log(o*(1-s)/(s*(1-o)))/(2*i)/xr(i,n)}let $=.2,Tr=Array.from({length:13},(e,t)=>t/4);function Er(e){let[t,n,r]=[x(e,`delta`),x(e,`units`),x(e,`rate`)],i=x(e,`scale`)/Math.sqrt(n),a=[vr(t),yr(t)].map(e=>wr(e,$,r,Sr(e,n,i))),o=Math.max(10,Math.ceil(Math.min(1.3*Math.max(...a),3*Math.min(...a))));return{delta:t,units:n,rate:r,std:i,last:o,every:Math.ceil(o/300)}}function Dr({last:e,every:t}){return Array.from({length:Math.floor(e/t)+1},(e,n)=>n*t)}function*Or(e){let t=Er(e),{units:r,rate:i,std:a,every:o}=t,s=Dr(t),c=Math.max(1,Math.round(1e5/r)),l=g(t.delta),u=Array.from({length:5},(e,t)=>n.random(l,r,a,t)),d=u.map(e=>[e.loss()]),f=0;for(let e=1;e<s.length;e++)u.forEach((e,t)=>{for(let t=0;t<o;t++)e.step(i);d[t].push(e.loss())}),f+=o*5,!(f<c)&&(f=0,yield{steps:s.slice(0,e+1),losses:d.map(e=>[...e]),sweep:[]});let p={steps:s,losses:d,shares:kr(u)},m=[];yield{...p,sweep:[]};for(let e of Tr){let t=Array.from({length:3},(t,o)=>{let c=n.random(g(e),r,a,o),l=[c.loss()],u=s.at(-1);for(let e=0;e<u&&l[e]>$;e++)c.step(i),l.push(c.loss());return y(Array.from(l.keys()),l,$)});m.push(t.reduce((e,t)=>e+t,0)/3),yield{...p,sweep:[...m]}}}function kr(e){let t={xor:0,linear:0};for(let n of e){let r=n.sizes(),i=r.reduce((e,t)=>e+t,0);r.forEach((r,a)=>{let o=n.activity.subarray(4*a,4*a+4),s=Math.max(...o),c=Array.from(o,e=>+(e>.1*s)).join(``),l=r/i/e.length;c===`0110`||c===`1001`?t.linear+=l:c.replaceAll(`0`,``)===`1`&&(t.xor+=l)})}return t}let Ar=e=>Number.isFinite(e)?`${Math.round(e)}`:`never`,jr=e=>Number.isFinite(e)?e.toFixed(1):`never`;function Mr(e){let t=e.reduce((e,t)=>e+t,0)/e.length;return[t,Math.sqrt(e.reduce((e,n)=>e+(n-t)**2,0)/e.length)]}function Nr(e){let{delta:t}=Er(e),n=new T(8);[[1,1],[4,1],[1,4],[4,4]].forEach(([e,t],r)=>n.node({x:e,y:t+1.2,shape:`square`,colour:+(r===1||r===2)})),n.word(2.5,.8,`XOR in two inputs`),n.word(2.5,6.8,`third input ±Δ = ${t.toFixed(2)}`);let r=n.column(9,E(3),`inputs`),i=n.column(13,E(5),`ReLU units`),a=n.column(17,E(1),`output`);return n.join(r,i,()=>({weight:.8})),n.join(i,a,()=>({weight:.8})),n.done(`Four points of two classes (blue and vermilion) form XOR in two inputs and are separable, with margin 2Δ, in a third; a ReLU network of one hidden layer learns the classes.`)}let Pr={id:`race`,title:`Race`,question:`When does a ReLU network leave a linear solution for a nonlinear one?`,paper:{text:`Jarvis, Klein, Rosman and Saxe 2025, section 3`,href:`https://arxiv.org/abs/2503.06181`},terms:[`relu`,`gating`,`xor`,`singular`,`loss`,`area`],theory:{text:`Four points form XOR in two inputs and are linearly separable, with margin 2Δ, in a third. Two gatings compete: two pathways by the sign of the target (linear), or one pathway per point (XOR). Each pathway is a linear network with one mode, solved in closed form. It starts where random weights put it, nσ²/2 for its n units, and grows at the rate of its singular value s; a finite step η slows it a little. Nothing is fitted.`,equations:[`a(t) = frac{s / d}{1 − (1 − frac{s}{d a_{0}}) e^{−2 s t}},  t = \"steps\" · frac{ln(1 + η s)}{s},  a_{0} = frac{n σ^{2}}{2}`,`\"linear:\"  s = frac{Δ}{2},  d = frac{Δ^{2}}{2},  n = frac{N}{2},  L = frac{1}{2} − Δ a + frac{1}{2} Δ^{2} a^{2}`,`\"XOR:\"  s = frac{sqrt{2 + Δ^{2}}}{4},  d = frac{2 + Δ^{2}}{4},  n = frac{N}{4},  L = frac{1}{2} − 4 s a + 2 d a^{2}`,`\"the winner changes where both s are equal:\"  Δ = sqrt{2/3}`]},controls:[{kind:`slider`,id:`delta`,label:`Margin Δ`,help:`How far apart the classes are in the third input; at 0 the task is XOR.`,min:0,max:3,step:.05,value:.5,format:e=>e.toFixed(2)},{kind:`slider`,id:`scale`,label:`Initial scale σ√N`,help:`Standard deviation σ of an initial weight times the root of the number N of hidden units; 2×10⁻⁴ in the paper.`,min:1e-6,max:1,step:.1,value:2e-4,log:!0},{kind:`slider`,id:`units`,label:`Hidden units N`,help:`Width of the ReLU networks; 128 in the paper. Both gatings divide these units among their pathways.`,min:8,max:512,step:8,value:128},{kind:`slider`,id:`rate`,label:`Step size η`,help:`Step of gradient descent on the mean loss; 0.4 in the paper.`,min:.05,max:.6,step:.05,value:.4,format:e=>e.toFixed(2)},w(e=>`${Math.round(100*e)} %`)],schematic:Nr,ask:{prompt:`Four points can be told apart by a line, with a small margin, or point by point, as XOR. Which will a ReLU network from small weights do at margin Δ = 0.5?`,options:[`Draw the line: it is the simpler solution`,`Learn point by point: it is the faster solution`],right:e=>{let{delta:t,units:n,std:r,rate:i}=Er(e),[a,o]=[vr(t),yr(t)].map(e=>wr(e,$,i,Sr(e,n,r)));return a<o?0:1},because:`Pathways race: the one whose singular value is larger grows faster and takes the task, whether or not it is the simpler one. Below Δ = √(2/3) that is XOR.`},view(e,t){let n=Er(e),{delta:r,units:i,rate:a,std:o,last:s}=n,c=Dr(n),[l,u]=[vr(r),yr(r)].map(e=>{let t=Sr(e,i,o),n=wr(e,$,a,t);return{s:e.s,time:n,loss:c.map(n=>Cr(e,n,a,t))}}),d=t?.losses.map(e=>y(t.steps,e,$))??[],f=d.length>0&&d.every(Number.isFinite),[p,m]=f?Mr(d):[NaN,NaN],h=t?.shares&&t.steps.map((e,n)=>t.losses.reduce((e,t)=>e+t[n],0)/t.losses.length),g=h&&b(t.steps,l.time<u.time?l.loss:u.loss,h),_=s*x(e,`moment`),v=(t?.losses??[]).map((e,n)=>({label:n?`ReLU network, seed ${n}`:`ReLU networks, ${i} units`,x:t.steps,y:e,colour:6,role:`trained`,among:5,quiet:n>0})),S=Array.from({length:121},(e,t)=>t*3/120),C=e=>S.map(t=>{let n=e(t),r=wr(n,$,a,Sr(n,i,o));return r<=2*s?r:NaN});return{sentence:Fr(n,l.time,u.time,f?[p,m]:void 0,t?.shares,g),numbers:[{id:`steps_linear`,label:`linear gating, steps to loss ${$}`,value:l.time,format:jr},{id:`steps_xor`,label:`XOR gating, steps to loss ${$}`,value:u.time,format:jr},...f?[{id:`steps_relu`,label:`ReLU networks, mean of 5`,value:p,format:jr}]:[],{id:`s_linear`,label:`singular value, linear`,value:l.s},{id:`s_xor`,label:`singular value, XOR`,value:u.s},{id:`crossover`,label:`crossover Δ`,value:_r},...g===void 0?[]:[{id:`area`,label:`area between the faster gating and the networks (∫|ΔL|/∫L)`,value:g}]],charts:[{kind:`lines`,id:`loss`,title:`Loss at Δ = ${r.toFixed(2)}`,x:{label:`gradient steps`,values:c,range:[0,s]},y:{label:`loss`},moment:_,lines:[...v,{label:`linear gating, predicted`,y:l.loss,colour:0},{label:`XOR gating, predicted`,y:u.loss,colour:1,dash:`dash`}],marks:[{axis:`y`,at:$,label:`learned`,side:`left`}]},{kind:`lines`,id:`time`,title:`Learning time by margin`,x:{label:`margin Δ`,values:S,range:[0,3]},y:{label:`steps to loss ${$}`},lines:[...t?.sweep.length?[{label:`ReLU networks, mean of 3`,x:Tr.slice(0,t.sweep.length),y:t.sweep,colour:6,role:`trained`}]:[],{label:`linear gating`,y:C(vr),colour:0},{label:`XOR gating`,y:C(yr),colour:1,dash:`dash`}],marks:[{axis:`x`,at:_r,label:`√(2/3)`},{axis:`x`,at:r,label:`Δ`,colour:2}]}]}},live:{label:`Train ${A[5]} ReLU networks`,key:e=>[`delta`,`scale`,`units`,`rate`].map(t=>e[t]).join(),run:Or},python(e){let{delta:t,units:n,rate:r}=Er(e);return[`import numpy as np`,`import festina as fs`,``,`task = fs.tasks.extended_xor(${t})`,`std, units, rate = ${x(e,`scale`)} / np.sqrt(${n}), ${n}, ${r}`,`sign = task.y[:, 0]`,`gatings = {\"linear\": np.array([sign > 0, sign < 0]), \"xor\": np.eye(4)}`,`numbers = {\"crossover\": float(np.sqrt(2 / 3))}`,`for name, gates in gatings.items():`,`    network = fs.gated.pathways(gates, 1, initial=fs.initial.Gaussian(std))`,`    own = task.statistics(network).effective[0]`,`    s, d = (own.strengths[0], own.curvatures[0]) if own.rank else (0.0, 0.0)`,`    start = units // len(gates) * std**2 / 2`,`    end = s / d * (1 - np.sqrt(2 * ${$})) if s else np.inf`,`    time = fs.linear.time_to_strength(max(end, start), s, d, start) if s else np.inf`,`    numbers[f\"s_{name}\"] = float(s)`,`    numbers[f\"steps_{name}\"] = float(time * s / np.log1p(rate * s)) if s else np.inf`].join(`\n`)}};function Fr({delta:e,rate:t},n,r,i,a,o){let s=Math.min(n,r),c=Math.max(n,r),[l,u]=n<r?[`linear`,`XOR`]:[`XOR`,`linear`],d=e<_r?`below`:`above`,f=c-s<.5?`At Δ = ${e.toFixed(2)} both gatings learn in ${Ar(s)} steps`:`At Δ = ${e.toFixed(2)}, ${d} the crossover √(2/3) ≈ 0.82, the ${l} gating wins: it learns in ${Ar(s)} steps, the ${u} one ${Number.isFinite(c)?`in ${Ar(c)}`:`never`}`,p=`weights this large put the networks in the middle of learning, while the prediction starts from pathways of the mean strength`;if(!i)return`${f}${a?`; the ReLU networks have not learned in the time shown`:``}.${j(o,`The trained ReLU networks`,p,!0)}`;let[m,h]=i,g=m-s,_=o===void 0||o<=.1,v=Math.abs(g)*t<=.8&&_?`as predicted`:`${Math.abs(g).toFixed(1)} ${g>0?`later`:`earlier`} than predicted`,y=`${f}; the trained ReLU networks take ${m.toFixed(1)} ± ${h.toFixed(1)}, ${v}`;if(!a)return`${y}.`;let[b,x]=a.xor>a.linear?[a.xor,`on at a single point`]:[a.linear,`on at both points of one sign`];return`${y}, with ${D(b)} of their map in units ${x}.${_?``:j(o,`Their loss`,p)}`}function Ir(e,t){let n=[],[r,i]=[``,!1];for(let a of e)a===`\"`?i=!i:a===t&&!i?(n.push(r.trim()),r=``):r+=a;return[...n,r.trim()]}let Lr=e=>e!==``&&Number.isFinite(Number(e));function Rr(e){let t=e.split(/\\r\\n|\\n|\\r/).filter(e=>e.trim()!==``);if(t.length<4)return`The table needs at least four lines: one per data point, and columns separated by commas, semicolons or tabs.`;let n=[`	`,`;`,`,`].find(e=>t[0].includes(e));if(n===void 0)return`The first line has a single column; separate columns by commas, semicolons or tabs.`;let r=t.map(e=>Ir(e,n)),i=r[0].length,a=r.findIndex(e=>e.length!==i);if(a>=0)return`Line ${a+1} has ${r[a].length} cells, the first line has ${i}.`;let o=r[0].every(e=>!Lr(e)),s=o?r[0]:r[0].map((e,t)=>`column ${t+1}`);o&&(r=r.slice(1));let c=r.every(e=>!Lr(e[0]));c&&(r=r.map(e=>e.slice(1)));let l=c?s.slice(1):s;if(l.length<2)return`The table needs at least two columns of numbers: an input and a target.`;if(l.length>24)return`The table has ${l.length} columns of numbers; up to 24 can be shown here.`;if(r.length>500)return`The table has ${r.length} data points; up to 500 can be trained on here.`;for(let[e,t]of r.entries())for(let[n,r]of t.entries())if(!Lr(r))return`Data point ${e+1}, column “${l[n]}”: “${r.slice(0,20)}” is not a number.`;let u=r.map(e=>e.map(Number)),d=l.findIndex((e,t)=>u.every(e=>e[t]===u[0][t]));return d>=0?`Column “${l[d]}” has the same value in every data point; leave it out.`:{names:l,rows:u}}function zr(e){let t=L(e.length,e[0].length);for(let n=0;n<t.columns;n++){let r=e.reduce((e,t)=>e+t[n],0)/e.length,i=Math.sqrt(e.reduce((e,t)=>e+(t[n]-r)**2,0)/e.length);e.forEach((e,a)=>t.data[a*t.columns+n]=(e[n]-r)/i)}return t}function Br({rows:e},t,n){let r=e.length,i=zr(e.map(e=>e.slice(0,-t))),a=zr(e.map(e=>e.slice(-t))),{values:o,vectors:s}=ut(U(V(i,i),1/r)),c=Array.from(o.keys()).filter(e=>o[e]>1e-9*o[0]),l=L(i.columns,c.length);c.forEach((e,t)=>{for(let r=0;r<i.columns;r++)l.data[r*c.length+t]=s.data[r*s.columns+e]/(n?Math.sqrt(o[e]):1)});let u=B(i,l),d=U(V(u,u),1/r),f=U(V(a,u),1/r),p=ft(f),m=p.values.filter(e=>e>1e-9*p.values[0]).length,h=Array.from(p.values.slice(0,m)),g=B(d,p.right),_=h.map((e,t)=>{let n=0;for(let e=0;e<d.rows;e++)n+=p.right.data[e*p.right.columns+t]*g.data[e*g.columns+t];return n}),v=U(V(i,B(u,p.right)),1/r),y=h.map((e,t)=>Array.from({length:i.columns},(e,n)=>v.data[n*v.columns+t]/Math.sqrt(_[t]))),b=a.data.reduce((e,t)=>e+t*t,0)/r,x=0;for(let e=0;e<f.rows;e++)for(let t=0;t<f.columns;t++)x+=f.data[e*f.columns+t]**2/d.data[t*d.columns+t];let S=e=>({rows:e.rows,columns:m,data:Float64Array.from({length:e.rows*m},(t,n)=>e.data[Math.floor(n/m)*e.columns+n%m])});return{inputs:d,cross:f,power:b,s:h,d:_,left:S(p.left),right:S(p.right),reads:y,least:.5*Math.max(0,b-x)}}var Vr=class{inputs;cross;power;first;second;map;miss;seen;up;down;constructor(e,t,n,r,i){this.inputs=n,this.cross=r,this.power=i,[this.first,this.second]=[at(e),at(t)],this.map=L(r.rows,r.columns),this.miss=L(r.rows,r.columns),this.seen=L(r.rows,r.columns),this.up=L(t.rows,t.columns),this.down=L(e.rows,e.columns),this.refresh()}refresh(){B(this.second,this.first,this.map),B(this.map,this.inputs,this.seen);for(let e=0;e<this.miss.data.length;e++)this.miss.data[e]=this.cross.data[e]-this.seen.data[e]}get loss(){return .5*(this.power-2*W(this.map,this.cross)+W(this.map,this.seen))}step(e){V(this.second,this.miss,this.down),H(this.miss,this.first,this.up);for(let t=0;t<this.first.data.length;t++)this.first.data[t]+=e*this.down.data[t];for(let t=0;t<this.second.data.length;t++)this.second.data[t]+=e*this.up.data[t];this.refresh()}};let Hr=e=>[`table`,`targets`,`inputs`,`start`,`weights`].map(t=>e[t]).join(`\n`),Ur;function Wr(e){let t=Hr(e);if(Ur?.key!==t){let n=Rr(S(e,`table`));if(typeof n==`string`)throw Error(n);let r=S(e,`inputs`)===`white`,i=Br(n,x(e,`targets`),r),a=x(e,`start`)*i.s[0]/i.d[0],o=i.s.slice(0,6).filter(e=>e>.02*i.s[0]),s=Math.max(...o.map((e,t)=>N(.98*e/i.d[t],{s:e,d:i.d[t]},Math.min(a,.5*e/i.d[t]),2)));Ur={key:t,setting:{table:n,task:i,start:a,white:r,times:Array.from({length:201},(e,t)=>1.1*s*t/200)}}}return Ur.setting}function Gr({task:e,start:t},n){return e.s.map((r,i)=>ge(n,{s:r,d:e.d[i]},t,2))}function Kr({task:e},t,n){return t.reduce((t,r,i)=>t-e.s[i]*r[n]+.5*e.d[i]*r[n]**2,.5*e.power)}function*qr(e){let n=Wr(e),{task:r,start:i,times:a}=n,o=a[a.length-1],[s,c,l]=[r.cross.columns,r.cross.rows,r.s.length],u=Math.max(s,c),d=t(11),f=Math.sqrt(2*i/u),[p,m]=S(e,`weights`)===`random`?[Y(u,s,f,d),Y(c,u,f,d)]:zt(r.right,r.left,Math.max(u,l),2,i,d),h=new Vr(p,m,r.inputs,r.cross,r.power),g=2*Math.max(...Array.from({length:s},(e,t)=>r.inputs.data[t*s+t]))*Math.max(...r.s.map((e,t)=>e/r.d[t])),_=Math.min(Math.max(.05/g,Math.min(o/6e4,.5/g)),o/600),v=Math.ceil(o/_),y={times:[],loss:[],strengths:r.s.map(()=>[]),expected:[]},b=e=>{y.times.push(e*_),y.loss.push(h.loss),Vt(h.map,r.left,r.right).forEach((e,t)=>y.strengths[t].push(e)),y.expected.push(Kr(n,Gr(n,[e*_]),0))},x=4*u*s*c+c*s*s,[C,w]=[0,0];for(let e=0;e<=v;e++)(e>=w||e===v)&&(b(e),w=Math.max(e+1,Math.round(y.times.length*v/159))),e<v&&h.step(_),C+=x,C>6e6&&(C=0,yield{...y});yield{...y}}let Jr=`garden,sun,rain,soil,height,leaves,flowers\nA,8.1,3.2,6.1,41,18,9\nB,7.4,4.1,5.2,38,20,8\nC,3.0,7.7,6.6,30,31,2\nD,5.2,5.9,3.1,27,22,4\nE,9.0,2.1,4.4,36,12,10\nF,2.1,8.4,5.0,22,33,1\nG,6.6,5.0,7.3,45,27,7\nH,4.4,6.8,2.2,20,23,3\nI,7.9,3.9,3.0,30,15,8\nJ,3.7,7.1,7.9,38,34,3\nK,5.9,4.6,4.8,33,21,6\nL,8.6,2.8,7.0,46,19,10\n`;function Yr(e,t){let n=Wr(e),{table:r,task:i,times:a,start:o}=n,s=x(e,`targets`),[c,l]=[r.names.slice(0,-s),r.names.slice(-s)],u=Gr(n,a),d=a.map((e,t)=>Kr(n,u,t)),f=Math.round(x(e,`moment`)*200),p=a[f],m={label:`flow time`,values:a,range:[0,a[200]]},h=i.s.slice(0,6),g=h.map((e,t)=>N(.5*e/i.d[t],{s:e,d:i.d[t]},Math.min(o,.5*e/i.d[t]),2)),_=t&&t.times.length>2?t:void 0,v=_&&b(_.times,_.expected,_.loss),y=e=>`mode ${e+1}`,S=1-i.least/(.5*i.power),C=[{id:`points`,label:`data points`,value:r.rows.length},{id:`s_first`,label:`strongest mode, singular value`,value:i.s[0]},{id:`first`,label:`strongest mode half learned`,value:g[0],unit:`flow time`},{id:`least`,label:`least loss of a linear map`,value:i.least},{id:`loss`,label:`predicted loss at the moment`,value:d[f]},...v===void 0?[]:[{id:`area`,label:`area between prediction and network (∫|ΔL|/∫L)`,value:v}]],w=(e,t,n,r,i)=>({kind:`heat`,id:e,title:t,label:i,matrix:n,rows:h.map((e,t)=>y(t)),columns:r,bound:1});return{sentence:Xr(e,g,S,v),numbers:C,charts:[{kind:`lines`,id:`loss`,title:`Loss`,wide:!0,x:m,y:{label:`loss`},moment:p,lines:[..._?[{label:`trained network`,x:_.times,y:_.loss,colour:6,role:`trained`}]:[],{label:`prediction`,y:d,colour:6}],marks:[{axis:`y`,at:i.least,label:`least loss of a linear map`,side:`left`}]},{kind:`lines`,id:`strengths`,title:`Strength of each mode`,wide:!0,x:m,y:{label:`strength a`},moment:p,lines:[..._?h.map((e,t)=>({label:`trained network`,x:_.times,y:_.strengths[t],colour:t,role:`trained`,quiet:!0})):[],...h.map((e,t)=>({label:`${y(t)} (s = ${O(e)})`,y:u[t],colour:t}))]},w(`reads`,`What a mode reads from the inputs`,i.reads.slice(0,6),c,`correlation`),w(`writes`,`What it says of the targets`,h.map((e,t)=>l.map((e,n)=>i.left.data[n*i.left.columns+t])),l,`entry of u`)]}}function Xr(e,t,n,r){let{task:i,white:a,table:o}=Wr(e),s=i.s.length===1?`one mode`:`${A[i.s.length]??i.s.length} modes`,c=t.length>1?`; the strongest is half learned at t = ${O(t[0])}, ${t.length>2?`the weakest shown`:`the other`} at ${O(t[t.length-1])}`:`, half learned at t = ${O(t[0])}`,l=S(e,`weights`)===`random`?`random weights first have to turn towards the modes`:a?`the step of training is not small`:`these inputs are correlated, so that modes disturb each other while the theory takes them one by one; make the inputs white to see the difference`;return`This table of ${o.rows.length} data points has ${s}${c}; the best linear map explains ${D(n)} of the targets' variance.${j(r,`The trained network`,l)}`}function Zr(e){let{table:t,task:n}=Wr(e),r=x(e,`targets`),[i,a]=[t.names.slice(0,-r),t.names.slice(-r)],o=new T(8),s=e=>e.slice(0,7).map(e=>e.length>9?`${e.slice(0,8)}…`:e),c=o.column(5,s(i),`inputs`,()=>({side:`left`})),l=o.column(9,E(Math.min(6,Math.max(n.cross.columns,n.cross.rows))),`hidden units`),u=o.column(13,s(a),`targets`,()=>({side:`right`}));return o.join(c,l,()=>({weight:.8})),o.join(l,u,()=>({weight:.8})),o.done(`A linear network of two layers learns your ${a.length===1?`target column`:`${a.length} target columns`} from ${i.length===1?`one input column`:`${i.length} input columns`}.`)}let Qr=[Rn,qt,Pr,pe,gr,nt,{id:`your_data`,title:`Your data`,question:`What would a network learn first from your own table?`,paper:{text:`Saxe, McClelland & Ganguli 2014, Exact solutions to the nonlinear dynamics of learning in deep linear neural networks`,href:`https://arxiv.org/abs/1312.6120`},terms:[`mode`,`strength`,`singular`,`white`,`loss`,`flow`,`area`],theory:{text:`Columns are centred and divided by their standard deviation. The correlation of targets with inputs is a sum of modes, and from small weights each grows by itself, the strong ones first. This is exact where the inputs are white, that is uncorrelated and of equal variance; as they are, a mode's curvature is taken from the inputs along it, which is an approximation. The table stays in this page: it is not sent anywhere, and links do not carry it.`,equations:[`Σ_{yx} = U S V^{T},  d = v^{T} Σ_{x} v`,`a(t) = frac{s / d}{1 − (1 − frac{s}{d a_{0}}) e^{−2 s t}},  L = frac{1}{2} ⟨y^{2}⟩ − Σ ( s a − frac{1}{2} d a^{2} )`]},controls(e){let t=Rr(typeof e.table==`string`?e.table:Jr),n=typeof t==`string`?2:t.names.length;return[{kind:`text`,id:`table`,label:`Your table (CSV)`,value:Jr,help:`Paste a table or open a file: one data point per line, the targets in the last columns, names in the first line and first column if you like. It stays on your machine.`,refuse:e=>{let t=Rr(e);return typeof t==`string`?t:void 0}},{kind:`slider`,id:`targets`,label:`Target columns`,min:1,max:Math.max(2,n-1),step:1,value:Math.min(3,Math.floor(n/2)),help:`How many of the last columns are to be learned from the others.`},{kind:`choice`,id:`inputs`,label:`Inputs`,value:`white`,options:[{value:`white`,label:`made white`},{value:`standard`,label:`standardised`}],help:`White inputs are uncorrelated and of equal variance, as the theory assumes; standardised ones keep their correlations.`},{kind:`slider`,id:`start`,label:`Initial strength`,min:1e-5,max:.2,step:.05,value:.001,log:!0,help:`Strength of every mode at time 0, as a share of what the strongest one reaches.`},{kind:`choice`,id:`weights`,label:`Trained network starts`,value:`aligned`,options:[{value:`aligned`,label:`on the modes`},{value:`random`,label:`at random`}],help:`The prediction assumes a start on the modes.`},w(e=>`${Math.round(100*e)} %`)]},schematic:Zr,view:Yr,live:{label:`Train a linear network`,key:Hr,run:qr},python:e=>{let{table:t,times:n,white:r}=Wr(e),i=x(e,`targets`),a=Math.round(x(e,`moment`)*200);return[`import numpy as np`,``,`import festina as fs`,``,`table = np.array(${JSON.stringify(t.rows)})`,`table = (table - table.mean(axis=0)) / table.std(axis=0)`,`x, y = table[:, :-${i}], table[:, -${i}:]`,...r?[`variances, axes = np.linalg.eigh(x.T @ x / len(x))`,`kept = variances > 1e-9 * variances.max()`,`x = x @ axes[:, kept] / np.sqrt(variances[kept])`]:[],`task = fs.Task(x, y)`,`s, d = task.statistics.strengths, task.statistics.curvatures`,`start = ${k(x(e,`start`))} * s[0] / d[0]`,`a = fs.linear.strength(${k(n[a])}, s, d, start, 2)`,`numbers = {`,`    \"points\": len(table),`,`    \"s_first\": float(s[0]),`,`    \"first\": float(fs.linear.time_to_strength(0.5 * s[0] / d[0], s[0], d[0], start, 2)),`,`    \"least\": float(task.statistics.floor),`,`    \"loss\": float(0.5 * task.statistics.power - sum(s * a - 0.5 * d * a**2)),`,`}`].join(`\n`)}}];self.addEventListener(`message`,e=>{let t=Qr.find(({id:t})=>t===e.data.id);for(let n of t?.live?.run(e.data.state)??[])self.postMessage({snapshot:n});self.postMessage({done:!0})})})();", qa = typeof self < "u" && self.Blob && new Blob(["(self.URL || self.webkitURL).revokeObjectURL(self.location.href);", Ka], { type: "text/javascript;charset=utf-8" });
function Ja(e) {
	let t;
	try {
		if (t = qa && (self.URL || self.webkitURL).createObjectURL(qa), !t) throw "";
		let n = new Worker(t, { name: e?.name });
		return n.addEventListener("error", () => {
			(self.URL || self.webkitURL).revokeObjectURL(t);
		}), n;
	} catch {
		return new Worker("data:text/javascript;charset=utf-8," + encodeURIComponent(Ka), { name: e?.name });
	}
}
//#endregion
//#region src/live.ts
function Ya(e, t, n, r) {
	let i = () => {}, a = () => {
		let a = e.live.run(t), o = !1;
		i = () => {
			o = !0;
		};
		let s = () => {
			if (o) return;
			let { value: e, done: t } = a.next();
			if (t) return r();
			n(e), setTimeout(s);
		};
		setTimeout(s);
	};
	try {
		let o = new Ja();
		i = () => o.terminate(), o.addEventListener("message", ({ data: e }) => "done" in e ? r() : n(e.snapshot)), o.addEventListener("error", (e) => {
			e.preventDefault(), o.terminate(), a();
		}, { once: !0 }), o.postMessage({
			id: e.id,
			state: t
		});
	} catch {
		a();
	}
	return () => i();
}
//#endregion
//#region src/math.ts
var Xa = /\s{2,}|\s|"[^"]*"|frac|sqrt|Tr|ln|high|low|dx|dy|yx|\d+(?:\.\d+)?|[_^{}]|./gu, Za = /^\p{L}$/u, Qa = /* @__PURE__ */ new Set([
	"Tr",
	"dx",
	"dy"
]), $a = /* @__PURE__ */ new Set(["Σ"]);
function eo(e) {
	return e.replace(/[&<>"]/g, (e) => `&#${e.charCodeAt(0)};`);
}
var to = class {
	tokens;
	at = 0;
	constructor(e) {
		this.tokens = e.match(Xa) ?? [];
	}
	row() {
		let e = "";
		for (; this.at < this.tokens.length && this.tokens[this.at] !== "}";) e += this.scripted();
		return e;
	}
	group() {
		if (this.tokens[this.at] !== "{") return this.atom();
		this.at++;
		let e = this.row();
		if (this.tokens[this.at++] !== "}") throw Error(`an equation has an open brace: ${this.tokens.join("")}`);
		return `<mrow>${e}</mrow>`;
	}
	scripted() {
		let e = this.atom(), [t, n] = ["", ""];
		for (; this.tokens[this.at] === "_" || this.tokens[this.at] === "^";) this.tokens[this.at++] === "_" ? t = this.group() : n = this.group();
		return t && n ? `<msubsup>${e}${t}${n}</msubsup>` : t ? `<msub>${e}${t}</msub>` : n ? `<msup>${e}${n}</msup>` : e;
	}
	atom() {
		let e = this.tokens[this.at++] ?? "";
		return e === "frac" ? `<mfrac>${this.group()}${this.group()}</mfrac>` : e === "sqrt" ? `<msqrt>${this.group()}</msqrt>` : e === "{" ? (this.at--, this.group()) : /^\s{2,}$/.test(e) ? "<mspace width=\"1.6em\"/>" : /^\s$/.test(e) ? "" : e.startsWith("\"") ? `<mtext>\u00a0${eo(e.slice(1, -1))}\u00a0</mtext>` : /^\d/.test(e) ? `<mn>${e}</mn>` : e.length > 1 ? `<mrow><mi>${eo(e)}</mi>${Qa.has(e) ? "<mspace width=\"0.17em\"/>" : ""}</mrow>` : Za.test(e) && !$a.has(e) ? `<mi>${e}</mi>` : `<mo>${eo(e)}</mo>`;
	}
};
function no(e) {
	return `<math display="block"><mrow>${new to(e).row()}</mrow></math>`;
}
//#endregion
//#region src/topics/glossary.ts
var ro = {
	mode: "One of the independent directions into which a task comes apart: a pattern over the inputs that goes with a pattern over the outputs, such as “animals move, plants have roots”. Also called a singular mode.",
	strength: "How much of a mode the network carries: 0 at the start, and at the end as much as the data ask for.",
	singular: "The size of a mode in the data, s: how strongly its two patterns go together. Large ones are learned first.",
	loss: "How wrong the network is: half the squared error, averaged over the data.",
	flow: "The clock of learning: the number of steps of gradient descent times the size of a step.",
	area: "How far the prediction is from the trained network: the area between the two loss curves, as a share of the area below the loss.",
	rich: "Rich learning builds new features; lazy learning keeps the features of the random start and only combines them.",
	kernel: "The tangent kernel says how a step on one example changes the answer to another. It stays as it is in lazy learning and turns in rich learning.",
	balance: "Layers are balanced (λ = 0) where they are equally strong; λ is the difference between the squares of their weights.",
	relu: "A unit that passes on what is positive and is silent otherwise. Which inputs it is on for is its gating.",
	gating: "The choice which units are on for which inputs. For a given gating the network is linear, so that its learning can be predicted.",
	pathway: "The units that are on for the same inputs: a linear network within the network. Pathways race for the task, and the fastest takes it.",
	xor: "Exclusive or: the answer is yes where exactly one of two inputs is on. No linear network can learn it.",
	context: "A part of the input that says which question is asked about an item, so that the same item can have different answers.",
	representation: "The activity of the hidden units for one input. Inputs with similar activity are treated alike.",
	encoder: "The layers before the representation; the layers after it are the decoder.",
	saddle: "A point at which learning almost stands still although the task is not learned. From small weights networks wait there.",
	attention: "A layer that compares a query with every example of a sequence and answers with a mixture of what they say.",
	component: "A direction in which the inputs vary, independent of the others; the principal ones vary most.",
	white: "Inputs are made white by changing their units until all directions vary equally and none goes with another."
}, io = {
	singular: "singular value",
	flow: "flow time",
	area: "area between the curves",
	rich: "rich and lazy",
	kernel: "tangent kernel",
	balance: "balanced",
	relu: "ReLU unit",
	xor: "XOR",
	component: "principal component",
	white: "made white"
}, ao = (e) => io[e] ?? e, oo = 350, so = 5e3, co = class {
	topic;
	state;
	look;
	hooks;
	live;
	root = X("section", { class: "topic" });
	controls = new Na((e) => this.change(e));
	sentence = X("p", {
		class: "sentence",
		"aria-live": "polite"
	});
	numbers = X("dl", { class: "numbers" });
	charts = X("div", { class: "charts" });
	code = X("code");
	status = X("span", {
		class: "status",
		"aria-hidden": "true"
	});
	switch;
	player;
	drawing = X("div", { class: "drawing" });
	caption = X("figcaption");
	asked = X("section", {
		class: "ask",
		"aria-label": "A question first"
	});
	side = X("div", { class: "side" });
	asking = !1;
	playing;
	figures = /* @__PURE__ */ new Map();
	observer = new ResizeObserver(() => {
		this.figures.forEach((e) => e.fit()), this.hold();
	});
	snapshot;
	training = "off";
	key;
	stop = () => {};
	pause;
	frame;
	shown;
	constructor(e, t, n, r, i, a = !1) {
		this.topic = e, this.state = t, this.look = n, this.hooks = r, this.live = i;
		let o = X("div", { class: "panel" }, this.controls.root);
		wa(e, t).some(({ id: e }) => e === "moment") && (this.player = X("button", {
			type: "button",
			class: "play"
		}, "▶ Play"), this.player.addEventListener("click", () => this.playing === void 0 ? this.play() : this.pauseAt()), o.append(this.player)), e.live && (this.switch = X("button", {
			type: "button",
			class: "train",
			"data-control": "live"
		}, X("span", { class: "lamp" }), e.live.label, this.status), this.switch.addEventListener("click", () => {
			this.train(!this.live), this.hooks.switched?.(this.live);
		}), o.append(this.switch));
		let s = X("header", {}, X("h2", {}, e.question));
		this.side.append(o, this.numbers);
		let c = X("div", { class: "scene" }, X("figure", { class: "schematic" }, this.drawing, this.caption), X("div", { class: "said" }, this.asked, this.sentence));
		this.root.append(s, this.side, X("div", { class: "seen" }, c, this.charts, uo(e, this.code))), this.observer.observe(this.charts), this.observer.observe(this.side), a && e.ask ? this.pose(e.ask) : this.asked.hidden = !0, this.follow(), this.paint();
	}
	play() {
		if (!this.player) return;
		this.pauseAt();
		let e = performance.now(), t = (n) => {
			let r = Math.min(1, Math.max(0, (n - e) / so));
			this.state = {
				...this.state,
				moment: Math.round(100 * r) / 100
			}, this.playing = r < 1 ? requestAnimationFrame(t) : void 0, this.showPlayer(), this.paint();
		};
		this.playing = requestAnimationFrame(t), this.showPlayer();
	}
	get isAsking() {
		return this.asking;
	}
	pauseAt() {
		this.playing !== void 0 && cancelAnimationFrame(this.playing), this.playing = void 0, this.showPlayer(), this.schedule();
	}
	showPlayer() {
		this.player && (this.player.textContent = this.playing === void 0 ? "▶ Play" : "❚❚ Pause");
	}
	pose(e) {
		this.asking = !0, this.root.classList.add("asking");
		let t = (t) => {
			let n = e.right(this.state), r = t === void 0 ? "The prediction" : t === n ? "Yes. The prediction" : "Not this time. The prediction";
			this.asked.replaceChildren(X("p", {
				class: "answer",
				role: "status"
			}, X("strong", {}, `${r} says: “${e.options[n]}”. `), e.because)), this.reveal();
		}, n = e.options.map((e, n) => {
			let r = X("button", {
				type: "button",
				class: "option"
			}, e);
			return r.addEventListener("click", () => t(n)), r;
		}), r = X("button", {
			type: "button",
			class: "skip"
		}, "Show me");
		r.addEventListener("click", () => t()), this.asked.append(X("p", { class: "prompt" }, X("strong", {}, "First, a guess. "), e.prompt), X("div", { class: "options" }, ...n, r));
	}
	reveal() {
		this.asking && (this.asking = !1, this.root.classList.remove("asking"), this.hooks.answered?.(), this.follow(), this.paint(), this.open());
	}
	open() {
		!this.asking && !matchMedia("(prefers-reduced-motion: reduce)").matches && this.play();
	}
	hold() {
		let e = innerHeight - this.side.offsetHeight - 12;
		this.side.style.setProperty("--hold", `${Math.min(12, e)}px`);
	}
	set(e) {
		this.state = e, this.follow(), this.schedule();
	}
	train(e) {
		this.live !== e && (this.live = e, this.key = void 0, this.follow(), this.schedule());
	}
	restyle(e) {
		this.look = e, this.schedule();
	}
	view() {
		return this.frame !== void 0 && this.paint(), {
			...this.shown,
			training: this.training,
			playing: this.playing !== void 0
		};
	}
	close() {
		this.halt(), this.playing !== void 0 && cancelAnimationFrame(this.playing), this.observer.disconnect(), this.frame !== void 0 && cancelAnimationFrame(this.frame);
	}
	change(e) {
		this.playing !== void 0 && this.pauseAt(), this.reveal(), this.set(ka(this.topic, {
			...this.state,
			...e
		}).state), this.hooks.changed(this.state);
	}
	halt() {
		clearTimeout(this.pause), this.stop(), this.stop = () => {};
	}
	follow() {
		let { live: e } = this.topic;
		if (!e) return;
		let t = e.impossible?.(this.state), n = this.live && !this.asking && t === void 0 ? e.key(this.state) : void 0;
		(n === void 0 || n !== this.key) && (this.halt(), this.snapshot = void 0, this.key = n, this.training = t === void 0 ? n === void 0 ? "off" : "waiting" : "impossible", n !== void 0 && (this.pause = setTimeout(() => this.begin(), oo))), this.switch.setAttribute("aria-pressed", String(this.live && t === void 0)), this.switch.disabled = t !== void 0, this.switch.title = t ?? "", this.say();
	}
	begin() {
		this.training = "running", this.say(), this.stop = Ya(this.topic, this.state, (e) => {
			this.snapshot = e, this.schedule();
		}, () => {
			this.training = "done", this.say();
		});
	}
	say() {
		this.status.textContent = {
			off: "off",
			waiting: "…",
			running: "training",
			done: "trained",
			impossible: "not possible"
		}[this.training], this.switch.dataset.training = this.training;
	}
	schedule() {
		this.frame ??= requestAnimationFrame(() => this.paint());
	}
	paint() {
		this.frame !== void 0 && cancelAnimationFrame(this.frame), this.frame = void 0;
		let { topic: e, state: t, look: n } = this;
		this.controls.update(wa(e, t), t);
		let r = e.view(t, this.snapshot);
		this.shown = {
			topic: e.id,
			state: t,
			sentence: r.sentence,
			numbers: Object.fromEntries(r.numbers.map(({ id: e, value: t }) => [e, t])),
			charts: r.charts,
			training: this.training,
			playing: this.playing !== void 0
		}, this.sentence.textContent = r.sentence, this.numbers.replaceChildren(...r.numbers.map(lo)), this.code.textContent = e.python(t), this.arrange(r.charts);
		for (let e of r.charts) this.figures.get(e.id).update(e, n, this.playing !== void 0);
		let i = e.schematic(t), a = Ga(i, n.letter, n.palette);
		this.drawing.innerHTML !== a && (this.drawing.innerHTML = a), this.caption.textContent = i.caption, this.hooks.drawn?.(this.shown);
	}
	arrange(e) {
		let t = e.map((e) => `${e.kind} ${e.id}`).join();
		if (this.charts.dataset.ids === t) return;
		this.charts.dataset.ids = t;
		let n = new Map(e.map((e) => [e.id, new ya(e, this.look, this.topic.id)]));
		this.figures.clear(), n.forEach((e, t) => this.figures.set(t, e)), this.charts.replaceChildren(...[...n.values()].map((e) => e.root));
	}
};
function lo({ id: e, label: t, value: n, unit: r, format: i }) {
	let a = X("dd", {}, (i ?? _i)(n));
	return r && a.append(" ", X("small", {}, r)), X("div", { "data-number": e }, X("dt", {}, t), a);
}
function uo(e, t) {
	let n = e.theory.equations.map((e) => {
		let t = X("li");
		return t.innerHTML = no(e), t;
	}), r = X("a", {
		href: e.paper.href,
		target: "_blank",
		rel: "noopener noreferrer"
	}, e.paper.text), i = X("button", {
		type: "button",
		class: "copy"
	}, "Copy");
	return i.addEventListener("click", () => fo(i, t.textContent ?? "")), X("div", { class: "words" }, X("details", { class: "terms" }, X("summary", {}, "The words"), X("dl", {}, ...e.terms.flatMap((e) => [X("dt", {}, ao(e)), X("dd", {}, ro[e])]))), X("details", {}, X("summary", {}, "The theory"), X("p", {}, e.theory.text), X("ul", { class: "equations" }, ...n), X("p", {}, "Source: ", r)), X("details", {}, X("summary", {}, "The same in Python"), i, X("pre", {}, t)));
}
async function fo(e, t) {
	let n = e.textContent;
	try {
		await navigator.clipboard.writeText(t), e.textContent = "Copied";
	} catch {
		e.textContent = "Copying is not allowed here";
	}
	setTimeout(() => {
		e.textContent = n;
	}, 1500);
}
function po(e) {
	let t = e.dataset.theme;
	return {
		palette: (t ? t === "dark" : matchMedia("(prefers-color-scheme: dark)").matches) ? Ii : Fi,
		letter: Math.round(Number.parseFloat(getComputedStyle(e).fontSize) * .82)
	};
}
//#endregion
//#region src/style.css?inline
var mo = "body:has(>.festina.page){margin:0}.festina{--ink:#16202c;--quiet:#53606f;--line:#d9e0e7;--ground:#f4f6f8;--paper:#fff;--accent:#0072b2;--on-accent:#fff;--warn:#fff3d6;--warn-ink:#5c3d00;--lightningcss-light:initial;--lightningcss-dark: ;color-scheme:light;color:var(--ink);background:var(--ground);text-align:left;font:17px/1.45 system-ui,-apple-system,Segoe UI,DejaVu Sans,sans-serif}.festina[data-theme=dark]{--ink:#e9eef4;--quiet:#a3b0bf;--line:#33404f;--ground:#0d131a;--paper:#151d27;--accent:#4aa3e0;--on-accent:#06121c;--warn:#3a2d0c;--warn-ink:#ffdf9e;--lightningcss-light: ;--lightningcss-dark:initial;color-scheme:dark}@media (prefers-color-scheme:dark){.festina:not([data-theme=light]){--ink:#e9eef4;--quiet:#a3b0bf;--line:#33404f;--ground:#0d131a;--paper:#151d27;--accent:#4aa3e0;--on-accent:#06121c;--warn:#3a2d0c;--warn-ink:#ffdf9e;--lightningcss-light: ;--lightningcss-dark:initial;color-scheme:dark}}.festina.page{min-height:100vh}.festina.large{font-size:22px}@media (min-width:52em){.festina.large .topic{grid-template-columns:14em minmax(0,1fr)}}.festina.notebook{border:1px solid var(--line);border-radius:10px;font-size:15px}.festina,.festina *{box-sizing:border-box}.festina :is(button,input,output,summary){font:inherit;color:inherit}.festina :is(h1,h2,h3,p,ul,dl,dd,dt,figure,fieldset){margin:0;padding:0}.festina :focus-visible{outline:3px solid var(--accent);outline-offset:2px}.festina .top{background:var(--paper);border-bottom:1px solid var(--line);flex-wrap:wrap;align-items:center;gap:.3em 1.6em;padding:.45em 1.4em;display:flex}.festina .top h1{letter-spacing:.01em;font-size:1.15em}.festina nav.topics{counter-reset:topic;scrollbar-width:none;gap:.2em;display:flex;overflow-x:auto}.festina nav.topics a{color:var(--quiet);white-space:nowrap;border-radius:.5em;padding:.35em .75em;text-decoration:none}.festina nav.topics a:hover{background:var(--ground);color:var(--ink)}.festina nav.topics a:before{counter-increment:topic;content:counter(topic) \" \"}.festina nav.topics a[aria-current]{background:var(--accent);color:var(--on-accent)}.festina .tools{gap:.4em;margin-left:auto;display:flex}.festina :is(.tools button,.copy,.press,.close,.play,.option,.skip){background:var(--paper);border:1px solid var(--line);cursor:pointer;border-radius:.5em;padding:.35em .75em;font-size:.88em}.festina :is(.tools button,.copy,.press,.close,.play,.option,.skip):hover,.festina .tools button[aria-pressed=true]{border-color:var(--accent)}.festina .notice{background:var(--warn);color:var(--warn-ink);border-radius:.5em;margin:.8em 1.4em 0;padding:.6em .9em}.festina .welcome{background:var(--paper);border:1px solid var(--line);border-left:.3em solid var(--accent);border-radius:.7em;width:calc(100% - 2.8em);max-width:94em;margin:.9em auto 0;padding:.8em 6em .8em 1em;position:relative}.festina .welcome p{max-width:110ch}.festina .welcome .keys{color:var(--quiet);margin-top:.4em;font-size:.93em}.festina .kind{margin-right:.6em;display:inline-block}.festina .key{vertical-align:middle;border-radius:1em;width:2em;margin:0 .4em .22em 0;display:inline-block}.festina .key.trained{background:var(--accent);opacity:.32;height:7px}.festina .key.predicted{background:var(--accent);height:2px}.festina .welcome .close{position:absolute;top:.8em;right:.8em}.festina .onward{justify-content:flex-end;gap:1.6em;max-width:96em;margin:0 auto;padding:0 1.4em 2em;display:flex}.festina .topic{grid-template-columns:minmax(15em,18em) minmax(0,1fr);gap:.7em 1.6em;max-width:96em;margin:0 auto;padding:1em 1.4em 2em;display:grid}.festina .topic>header{grid-column:1/-1}.festina :is(h1,h2,h3){font-weight:700}.festina h2{text-wrap:balance;font-size:1.3em;line-height:1.25}.festina .side{align-self:start;gap:.9em;display:grid}.festina.page .side{top:var(--hold,.8em);position:sticky}.festina .panel{background:var(--paper);border:1px solid var(--line);border-radius:.7em;gap:1em;padding:1em;display:grid}.festina .seen{align-content:start;gap:.9em;min-width:0;display:grid}.festina .sentence{max-width:75ch;min-height:2.9em;font-size:1.06em}.festina .scene{align-items:center;gap:1.4em;display:flex}.festina .schematic{flex:none;width:21em;max-width:100%}.festina .schematic svg{max-width:100%;height:auto;margin:0 auto;display:block}.festina .schematic figcaption{color:var(--quiet);margin-top:.4em;font-size:.82em;line-height:1.35;display:block}.festina .said{flex:1 1 0;gap:.8em;min-width:0;display:grid}.festina .ask{background:var(--paper);border:1px solid var(--accent);border-radius:.7em;max-width:75ch;padding:.9em 1em}.festina .ask:has(.answer){border-color:var(--line);padding:.6em .9em;font-size:.95em}.festina .options{justify-items:start;gap:.45em;margin-top:.7em;display:grid}.festina .option{text-align:left;font-size:.95em}.festina .skip{color:var(--quiet);margin-top:.2em}.festina .asking :is(.sentence,.charts,.numbers,.words),.festina .asking+.onward{display:none}.festina .numbers{background:var(--paper);border:1px solid var(--line);border-radius:.7em;padding:.4em 1em}.festina .numbers>div{justify-content:space-between;align-items:center;gap:1em;padding:.35em 0;display:flex}.festina .numbers>div+div{border-top:1px solid var(--line)}.festina .numbers dt{color:var(--quiet);font-size:.8em;line-height:1.25}.festina .numbers dd{text-align:right;font-variant-numeric:tabular-nums;font-size:.93em;font-weight:600;line-height:1.2}.festina .numbers small{white-space:nowrap;color:var(--quiet);font-weight:400;display:block}.festina .controls{flex-wrap:wrap;align-items:end;gap:.7em .35em;display:flex}.festina .controls>:not(.preset){width:100%}.festina .controls>.preset{flex-wrap:wrap;align-items:center;gap:.3em;display:flex}.festina .controls>.preset+.preset{margin-top:-.35em}.festina .ask-help{width:1.65em;height:1.65em;color:var(--quiet);background:var(--ground);border:1px solid var(--line);cursor:pointer;border-radius:50%;flex:none;padding:0;font-size:.76em;line-height:1}.festina .ask-help[aria-expanded=true]{color:var(--on-accent);background:var(--accent);border-color:var(--accent)}.festina .help{width:100%;color:var(--quiet);margin:.2em 0;font-size:.85em}.festina .help[hidden]{display:none}.festina .head label{margin-right:auto}.festina .table textarea{width:100%;color:var(--ink);background:var(--ground);border:1px solid var(--line);resize:vertical;border-radius:.4em;margin:.3em 0;padding:.4em .5em;font:.78em/1.4 ui-monospace,SF Mono,Menlo,DejaVu Sans Mono,monospace;display:block}.festina .table input[type=file]{width:100%;font-size:.82em}.festina .wrong{background:var(--warn);color:var(--warn-ink);border-radius:.4em;margin-top:.3em;padding:.4em .6em;font-size:.85em}.festina .wrong[hidden]{display:none}.festina .play{justify-self:start}.festina fieldset{border:0;min-width:0}.festina .head{justify-content:space-between;align-items:baseline;gap:.6em;display:flex}.festina .head output{font-variant-numeric:tabular-nums;white-space:nowrap;font-weight:600}.festina :is(legend,.slider label){padding:0;font-size:.93em}.festina input[type=range]{appearance:none;cursor:pointer;touch-action:pan-y;background:0 0;width:100%;height:1.9em;margin:0;display:block}.festina input[type=range]::-webkit-slider-runnable-track{background:linear-gradient(to right, var(--accent) var(--filled,0%), var(--line) var(--filled,0%));border-radius:1em;height:.36em}.festina input[type=range]::-moz-range-track{background:linear-gradient(to right, var(--accent) var(--filled,0%), var(--line) var(--filled,0%));border-radius:1em;height:.36em}.festina input[type=range]::-webkit-slider-thumb{appearance:none;border:3px solid var(--paper);background:var(--accent);width:1.25em;height:1.25em;box-shadow:0 0 0 1px var(--line);border-radius:50%;margin-top:-.445em}.festina input[type=range]::-moz-range-thumb{border:3px solid var(--paper);background:var(--accent);border-radius:50%;width:1em;height:1em}.festina .choice{flex-wrap:wrap;gap:.35em;display:flex}.festina .choice legend{float:left;width:100%;margin-bottom:.3em}.festina .choice label{position:relative}.festina .choice input{opacity:0;cursor:pointer;margin:0;position:absolute;inset:0}.festina .choice span{border:1px solid var(--line);border-radius:.5em;padding:.25em .65em;font-size:.9em;display:block}.festina .choice input:checked+span{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}.festina .choice input:focus-visible+span{outline:3px solid var(--accent);outline-offset:2px}.festina .scroll{overflow-x:auto}.festina legend{white-space:nowrap}.festina .grid table{border-collapse:separate;border-spacing:3px;margin-top:.3em;font-size:.85em}.festina .grid th{color:var(--quiet);padding:0 .2em;font-weight:400}.festina .grid th[scope=col]{text-align:center}.festina .grid th[scope=row]{text-align:right;white-space:nowrap}.festina .grid :is(td,tr){background:0 0;padding:0}.festina .grid td button{background:var(--ground);border:1px solid var(--line);cursor:pointer;border-radius:.4em;width:2.3em;height:1.75em;padding:0;display:block}.festina .grid td button[aria-pressed=true]{background:var(--accent);border-color:var(--accent)}.festina .grid td button[aria-pressed=true]:after{content:\"✓\";color:var(--on-accent)}.festina .train{text-align:left;background:var(--ground);border:1px solid var(--line);cursor:pointer;border-radius:.5em;align-items:center;gap:.6em;padding:.55em .7em;line-height:1.25;display:flex}.festina .lamp{border:2px solid var(--quiet);border-radius:50%;flex:none;width:.75em;height:.75em}.festina .train[aria-pressed=true] .lamp{background:var(--accent);border-color:var(--accent)}.festina .train[data-training=running] .lamp{animation:1.2s ease-in-out infinite festina-breath}@keyframes festina-breath{50%{opacity:.25}}@media (prefers-reduced-motion:reduce){.festina .lamp{animation:none!important}}.festina .status{color:var(--quiet);margin-left:auto;font-size:.82em}.festina .charts{grid-template-columns:repeat(auto-fit,minmax(min(100%,max(17.5em,40%)),1fr));gap:1em;display:grid}.festina .chart{background:var(--paper);border:1px solid var(--line);border-radius:.7em;flex-direction:column;min-width:0;padding:.7em .8em .5em;display:flex}.festina .chart.wide{grid-column:1/-1}.festina figcaption{justify-content:space-between;align-items:flex-start;gap:.8em;display:flex}.festina h3{font-size:1em;line-height:1.3}.festina .save{background:0 0;border:0;flex:none;padding:0;font-size:.76em;display:flex;position:static}.festina .save :is(summary,button){color:var(--quiet);cursor:pointer;background:0 0;border:0;border-radius:.4em;padding:.3em .5em;font-weight:400;list-style:none}.festina .save summary{order:1}.festina .save summary::-webkit-details-marker{display:none}.festina .save[open]::details-content{display:contents}.festina .save :is(summary,button):hover{color:var(--accent);text-decoration:underline}.festina .legend{flex-wrap:wrap;gap:.05em 1.1em;margin:.25em 0 .2em;font-size:.85em;list-style:none;display:flex}.festina .legend:empty{display:none}.festina .legend svg{flex:none}.festina .legend li{align-items:center;gap:.4em;margin:0;display:flex}.festina .legend output{font-variant-numeric:tabular-nums;font-weight:600}.festina .plot{min-height:10em;margin-top:auto;overflow:hidden}.festina .plot svg{display:block}.festina .u-hz .u-cursor-x,.festina .u-hz .u-cursor-y{border-color:var(--quiet)}.festina .words{grid-template-columns:minmax(0,1fr);gap:.5em;display:grid}.festina details{background:var(--paper);border:1px solid var(--line);border-radius:.7em;padding:.55em .9em;position:relative}.festina summary{cursor:pointer;font-weight:600}.festina details p{max-width:75ch;margin-top:.6em}.festina .terms dl{grid-template-columns:minmax(9em,max-content) minmax(0,75ch);gap:.4em 1.2em;margin-top:.6em;display:grid}.festina .terms dt{font-weight:600}.festina .terms dt:first-letter{text-transform:uppercase}.festina .equations{margin-top:.8em;list-style:none;overflow-x:auto}.festina .equations li{margin:0 0 .7em 1em}.festina math{display:block math;width:max-content;font-size:1.08em}.festina a{color:var(--accent)}.festina pre{background:var(--ground);color:inherit;border-radius:.5em;margin:.6em 0 0;padding:.7em .9em;font:.85em/1.5 ui-monospace,SF Mono,Menlo,DejaVu Sans Mono,monospace;overflow-x:auto}.festina .copy{position:absolute;top:.4em;right:.6em}@media (max-width:75em){.festina .scene{flex-direction:column;align-items:stretch;gap:.9em}.festina .schematic{align-items:center;gap:1.2em;width:100%;display:flex}.festina .drawing{flex:none;max-width:100%}.festina .said{flex:none}}@media (max-width:52em){.festina .topic{grid-template-columns:minmax(0,1fr);padding:.9em .8em 2em}.festina .topic>:is(.seen,.side),.festina .topic:not(.asking) .charts{display:contents}.festina .schematic{display:block}.festina .welcome{width:calc(100% - 1.6em);padding-top:2.6em;padding-right:1em}.festina .onward{padding-inline:.8em}.festina .topic .panel{order:1}.festina .topic .numbers,.festina .topic .chart:not(:first-child),.festina .topic .words{order:2}.festina .terms dl{grid-template-columns:minmax(0,1fr);gap:.1em}.festina .terms dd{margin-bottom:.6em}.festina .top{padding:.45em .8em}.festina .top h1{order:0}.festina .tools{order:1}.festina nav.topics{order:2;width:100%}.festina .notice{margin-inline:.8em}.festina h2{font-size:1.15em}}";
//#endregion
//#region src/learn/random.ts
function ho(e) {
	let t = 2654435769, n = 608135816, r = e | 0, i = 1, a = () => {
		let e = (t + n | 0) + i | 0;
		return i = i + 1 | 0, t = n ^ n >>> 9, n = r + (r << 3) | 0, r = (r << 21 | r >>> 11) + e | 0, (e >>> 0) / 4294967296;
	};
	for (let e = 0; e < 20; e++) a();
	return a;
}
function go(e) {
	let t = ho(e), n;
	return () => {
		if (n !== void 0) {
			let e = n;
			return n = void 0, e;
		}
		let e = Math.sqrt(-2 * Math.log(1 - t())), r = 2 * Math.PI * t();
		return n = e * Math.sin(r), e * Math.cos(r);
	};
}
//#endregion
//#region src/learn/relu.ts
var _o = 4, vo = class e {
	hidden;
	points;
	inputs;
	outputs;
	first;
	second;
	activity;
	y;
	error;
	places;
	values;
	on;
	back;
	constructor(e, t) {
		this.hidden = t, this.points = e.x.length, this.inputs = e.x[0].length;
		let n = Math.ceil(e.y[0].length / _o) * _o;
		this.outputs = n, this.first = new Float64Array(t * this.inputs), this.second = new Float64Array(t * n), this.activity = new Float64Array(t * this.points), this.y = new Float64Array(this.points * n), e.y.forEach((e, t) => this.y.set(e, t * n)), this.error = new Float64Array(this.y.length), this.on = new Int32Array(Math.max(t, this.points)), this.back = new Float64Array(this.points), this.places = e.x.map((e) => Int32Array.from(e.flatMap((e, t) => e === 0 ? [] : [t]))), this.values = e.x.map((e) => Float64Array.from(e.filter((e) => e !== 0)));
	}
	static random(t, n, r, i) {
		let a = new e(t, n), o = go(i);
		for (let e = 0; e < a.first.length; e++) a.first[e] = r * o();
		let s = t.y[0].length;
		for (let e = 0; e < n; e++) for (let t = 0; t < s; t++) a.second[e * a.outputs + t] = r * o();
		return a;
	}
	static from(t, n) {
		let r = new e(t, n.first.length);
		return r.first.set(n.first.flat()), n.second.forEach((e, t) => e.forEach((e, n) => r.second[n * r.outputs + t] = e)), r;
	}
	loss() {
		let { hidden: e, points: t, inputs: n, outputs: r, first: i, second: a, activity: o, error: s, y: c, on: l } = this, u = 0;
		for (let d = 0; d < t; d++) {
			let f = this.places[d], p = this.values[d], m = 0;
			for (let r = 0; r < e; r++) {
				let e = 0;
				for (let t = 0; t < f.length; t++) e += i[r * n + f[t]] * p[t];
				o[r * t + d] = e > 0 ? e : 0, e > 0 && (l[m++] = r);
			}
			for (let e = 0; e < r; e += _o) {
				let n = d * r + e, i = -c[n], f = -c[n + 1], p = -c[n + 2], h = -c[n + 3];
				for (let n = 0; n < m; n++) {
					let s = l[n], c = o[s * t + d], u = s * r + e;
					i += c * a[u], f += c * a[u + 1], p += c * a[u + 2], h += c * a[u + 3];
				}
				s[n] = i, s[n + 1] = f, s[n + 2] = p, s[n + 3] = h, u += i * i + f * f + p * p + h * h;
			}
		}
		return u / (2 * t);
	}
	step(e) {
		let t = this.loss(), { hidden: n, points: r, inputs: i, outputs: a, first: o, second: s, activity: c, error: l, on: u, back: d } = this, f = e / r;
		for (let e = 0; e < n; e++) {
			let t = 0;
			for (let n = 0; n < r; n++) c[e * r + n] > 0 && (d[t] = 0, u[t++] = n);
			for (let n = 0; n < a; n += _o) {
				let i = e * a + n, o = s[i], p = s[i + 1], m = s[i + 2], h = s[i + 3], g = 0, _ = 0, v = 0, y = 0;
				for (let i = 0; i < t; i++) {
					let t = u[i], s = c[e * r + t], f = t * a + n, b = l[f], x = l[f + 1], S = l[f + 2], C = l[f + 3];
					g += s * b, _ += s * x, v += s * S, y += s * C, d[i] += b * o + x * p + S * m + C * h;
				}
				s[i] = o - f * g, s[i + 1] = p - f * _, s[i + 2] = m - f * v, s[i + 3] = h - f * y;
			}
			for (let n = 0; n < t; n++) {
				let t = this.places[u[n]], r = this.values[u[n]], a = f * d[n];
				for (let n = 0; n < t.length; n++) o[e * i + t[n]] -= a * r[n];
			}
		}
		return t;
	}
	sizes() {
		let { hidden: e, points: t, outputs: n, activity: r, second: i } = this;
		return new Float64Array(e).map((e, a) => {
			let o = 0, s = 0;
			for (let e = 0; e < t; e++) o += r[a * t + e] ** 2;
			for (let e = 0; e < n; e++) s += i[a * n + e] ** 2;
			return Math.sqrt(o * s);
		});
	}
}, yo = [
	[1 / 5],
	[3 / 40, 9 / 40],
	[
		44 / 45,
		-56 / 15,
		32 / 9
	],
	[
		19372 / 6561,
		-25360 / 2187,
		64448 / 6561,
		-212 / 729
	],
	[
		9017 / 3168,
		-355 / 33,
		46732 / 5247,
		49 / 176,
		-5103 / 18656
	],
	[
		35 / 384,
		0,
		500 / 1113,
		125 / 192,
		-2187 / 6784,
		11 / 84
	]
], bo = [
	71 / 57600,
	0,
	-71 / 16695,
	71 / 1920,
	-17253 / 339200,
	22 / 525,
	-1 / 40
];
function xo(e) {
	let t = e * e * (3 - 2 * e), n = (e * (e - 1)) ** 2;
	return [
		t * 35 / 384 + e * (e - 1) ** 2 - n * 5 * (2558722523 - 31403016 * e) / 11282082432,
		0,
		t * 500 / 1113 + n * 100 * (882725551 - 15701508 * e) / 32700410799,
		t * 125 / 192 - n * 25 * (443332067 - 31403016 * e) / 1880347072,
		t * -2187 / 6784 + n * 32805 * (23143187 - 3489224 * e) / 199316789632,
		t * 11 / 84 - n * 55 * (29972135 - 7076736 * e) / 822651844,
		e * e * (e - 1) + n * 10 * (7414447 - 829305 * e) / 29380423
	];
}
var So = 1e5, Co = 1e-12;
function wo(e, t, n, r, i, a) {
	let o = t.length, s = Array.from({ length: 7 }, () => new Float64Array(o)), c = Float64Array.from(t), l = new Float64Array(o), u = new Float64Array(o), d = new Float64Array(o), f = new Float64Array(o), p = n[n.length - 1] ?? 0, m = 0, h = 0, g = p / 1e3;
	for (; h < n.length && n[h] <= 0; h++) if (a(h, c) === !0) return;
	e(c, s[0]);
	for (let t = 0; h < n.length; t++) {
		if (t > So) throw Error("the integration takes too many steps");
		let _ = Math.min(g, p - m);
		for (let t = 0; t < 6; t++) To(l, c, s, yo[t], _), e(l, s[t + 1]);
		To(d, f, s, bo, _);
		let v = 0;
		for (let e = 0; e < o; e++) {
			let t = i + r * Math.max(Math.abs(c[e]), Math.abs(l[e])), n = Math.abs(d[e]) / t;
			n <= v || (v = n);
		}
		if (!Number.isFinite(v)) {
			if (_ < Co * p) throw Error("the integration left the finite numbers");
			g = .1 * _;
			for (let e of s.slice(1)) e.fill(0);
			continue;
		}
		if (g = _ * Math.min(5, Math.max(.2, .9 * Math.max(v, 1e-10) ** -.2)), v > 1) continue;
		let y = _ < p - m ? m + _ : p;
		for (u.set(l); h < n.length && n[h] <= y; h++) if (n[h] < y ? To(l, c, s, xo((n[h] - m) / _), _) : l.set(u), a(h, l) === !0) return;
		m = y, c.set(u), s[0].set(s[6]);
	}
}
function To(e, t, n, r, i) {
	for (let a = 0; a < r.length; a += 3) {
		let o = a === 0 ? t : e, [s, c, l] = [
			n[a],
			n[a + 1] ?? t,
			n[a + 2] ?? t
		], [u, d, f] = [
			i * r[a],
			i * (r[a + 1] ?? 0),
			i * (r[a + 2] ?? 0)
		];
		for (let t = 0; t < e.length; t++) e[t] = o[t] + u * s[t] + d * c[t] + f * l[t];
	}
}
var Eo = [
	{
		square: 15,
		modes: 1
	},
	{
		square: 7,
		modes: 1
	},
	{
		square: 3,
		modes: 2
	},
	{
		square: 1,
		modes: 4
	}
], Do = Math.sqrt(8);
function Oo(e) {
	let t = (Math.sqrt(e + 1) - 1) / e;
	return Array.from({ length: e }, (n, r) => new Float64Array(e).map((e, n) => t + +(n === r)));
}
function ko(e, t) {
	let n = 8 * e, r = [], i = [];
	for (let { square: a, modes: o } of Eo) {
		let s = Math.sqrt(a) / n, c = a === Eo[0].square;
		for (let n = 0; n < o; n++) {
			if (c && t === e) {
				r.push(s * Math.sqrt((e + 1) * (e + 8)));
				for (let t = 1; t < e; t++) r.push(s * Math.sqrt(8));
			} else r.push(s * Math.sqrt(t * t + t));
			c || i.push(s * Math.sqrt(t * (e - t) / e));
		}
	}
	return {
		raw: r.sort((e, t) => t - e),
		left: i.sort((e, t) => t - e)
	};
}
function Ao(e, t, n, r, i = 1e-7) {
	let a = r.map(() => 0), o = t.map(() => r.map(() => 0)), s = 8 * e, c = Oo(e), l = t.map((e, t) => t).filter((e) => t[e].some(Boolean));
	for (let { square: u, modes: d } of Eo) {
		let f = Math.sqrt(u), p = jo(e, l.map((e) => t[e]), u === Eo[0].square), m = Mo(e, p, c, Math.sqrt(n)), h = Float64Array.from(c.flatMap((e) => Array.from(e, (e) => f * e))), g = new Float64Array(h.length), _ = p.map(({ hidden: t }) => new Float64Array(t > 1 ? t * e : 0)), v = new Float64Array(e), y = (t) => {
			g.set(h);
			for (let n = 0; n < p.length; n++) {
				let { at: r, out: i, hidden: a, features: o, open: s } = p[n];
				if (a === 1) {
					let n = t[r];
					for (let r = 0; r < e; r++) {
						let a = n * t[i + r];
						for (let t = 0; t < s.length; t++) g[s[t] * e + r] -= a;
					}
					continue;
				}
				let c = _[n];
				for (let n = 0; n < a; n++) {
					let a = r + n * o;
					for (let r = 0; r < e; r++) {
						let o = t[a] + Do * t[a + r + 1];
						c[n * e + r] = o;
						for (let a = 0; a < e; a++) g[r * e + a] -= o * t[i + n * e + a];
					}
				}
			}
		};
		wo((t, n) => {
			y(t);
			for (let r = 0; r < p.length; r++) {
				let { at: i, out: a, hidden: o, features: c, open: l } = p[r];
				if (o === 1) {
					let r = t[i] / s, o = 0;
					for (let i = 0; i < e; i++) {
						let s = 0;
						for (let t = 0; t < l.length; t++) s += g[l[t] * e + i];
						n[a + i] = r * s, o += t[a + i] * s;
					}
					n[i] = o / s;
					continue;
				}
				let u = _[r];
				for (let r = 0; r < o; r++) {
					let o = i + r * c;
					v.fill(0);
					let l = 0;
					for (let i = 0; i < e; i++) {
						let c = u[r * e + i], d = 0;
						for (let n = 0; n < e; n++) {
							let o = g[i * e + n];
							d += t[a + r * e + n] * o, v[n] += c * o;
						}
						l += d, n[o + i + 1] = Do * d / s;
					}
					n[o] = l / s;
					for (let t = 0; t < e; t++) n[a + r * e + t] = v[t] / s;
				}
			}
		}, m, r, i, i * Math.sqrt(n), (t, n) => {
			y(n);
			let r = 0;
			for (let e of g) r += e * e;
			a[t] += d * r / (2 * s), p.forEach((r, i) => o[l[i]][t] += d * No(r, n, e));
		});
	}
	return {
		times: [...r],
		loss: a,
		strengths: o.map((e) => e.map(Math.sqrt))
	};
}
function jo(e, t, n) {
	let r = 0;
	return t.map((t) => {
		let [i, a] = n && t.every(Boolean) ? [e, e + 1] : [1, 1], o = Array.from(t.keys()).filter((e) => t[e]), s = {
			at: r,
			out: r + i * a,
			hidden: i,
			features: a,
			open: o
		};
		return r += i * (a + e), s;
	});
}
function Mo(e, t, n, r) {
	let i = t.at(-1), a = new Float64Array(i ? i.at + i.hidden * (i.features + e) : 0);
	for (let { at: i, out: o, hidden: s, features: c, open: l } of t) if (s > 1) {
		let t = Math.sqrt(e + 8);
		for (let n = 0; n < s; n++) {
			a[i + n * c] = r / t;
			for (let o = 0; o < e; o++) a[i + n * c + o + 1] = r * (+(n === o) - (1 - Do / t) / e);
			a[o + n * e + n] = r;
		}
	} else {
		let t = 0;
		for (let r = 0; r < e; r++) {
			let e = 0;
			for (let t of l) e += n[t][r];
			a[o + r] = e, t += e * e;
		}
		for (let n = 0; n < e; n++) a[o + n] *= r / Math.sqrt(t);
		a[i] = r;
	}
	return a;
}
function No({ at: e, out: t, hidden: n, features: r }, i, a) {
	let o = 0;
	for (let s = 0; s < a; s++) for (let c = 0; c < r; c++) {
		let l = 0;
		for (let o = 0; o < n; o++) l += i[t + o * a + s] * i[e + o * r + c];
		o += l * l;
	}
	return o;
}
//#endregion
//#region src/learn/task.ts
function Po(e) {
	let t = [
		[-1, -1],
		[1, -1],
		[-1, 1],
		[1, 1]
	];
	return {
		x: t.map(([t, n]) => [
			t,
			n,
			-t * n * e
		]),
		y: t.map(([e, t]) => [-e * t])
	};
}
function Fo(e) {
	let t = Oo(e), n = Io(), r = [], i = [];
	for (let a = 0; a < e; a++) for (let o = 0; o < 8; o++) {
		let s = Array(8 + e).fill(0);
		s[o] = 1, s[8 + a] = 1, r.push(s), i.push(n.flatMap(({ sigma: e, vector: n }) => Array.from(t[a], (t) => e * n[o] * t)));
	}
	return {
		x: r,
		y: i
	};
}
function Io() {
	return Eo.flatMap(({ square: e, modes: t }, n) => {
		let r = n === 0 ? 8 : 8 / t;
		return Array.from({ length: t }, (t, i) => {
			let a = Array.from({ length: 8 }, (e, t) => Math.floor(t / r) === i ? (n > 0 && t % r >= r / 2 ? -1 : 1) / Math.sqrt(r) : 0);
			return {
				sigma: Math.sqrt(e),
				vector: a
			};
		});
	});
}
//#endregion
//#region src/theory/passage.ts
function Lo(e, t, n) {
	for (let r = 0; r < t.length; r++) {
		if (!(t[r] <= n)) continue;
		if (r === 0) return e[0];
		let i = (t[r - 1] - n) / (t[r - 1] - t[r]);
		return e[r - 1] + i * (e[r] - e[r - 1]);
	}
	return Infinity;
}
function Ro(e, t, n) {
	let r = Math.min(e.length, t.length, n.length), i = 0, a = 0;
	for (let o = 1; o < r; o++) {
		let r = (e[o] - e[o - 1]) / 2;
		i += r * (Math.abs(t[o] - n[o]) + Math.abs(t[o - 1] - n[o - 1])), a += r * (n[o] + n[o - 1]);
	}
	return a > 0 ? i / a : NaN;
}
//#endregion
//#region src/topic.ts
function Z(e, t) {
	let n = e[t];
	if (typeof n != "number") throw Error(`state has no number ${t}`);
	return n;
}
function zo(e, t) {
	let n = e[t];
	if (typeof n != "string") throw Error(`state has no word ${t}`);
	return n;
}
function Bo(e, t) {
	let n = e[t];
	if (!Array.isArray(n)) throw Error(`state has no grid ${t}`);
	return n;
}
function Vo(e) {
	return {
		kind: "slider",
		id: "moment",
		label: "Moment",
		min: 0,
		max: 1,
		step: .01,
		value: 1,
		format: e,
		help: "The time, as a share of the time axis, at which the network is shown. Play runs it from the start to the end."
	};
}
//#endregion
//#region src/topics/drawing.ts
var Ho = class {
	height;
	nodes = [];
	links = [];
	words = [];
	feet = [];
	constructor(e) {
		this.height = e;
	}
	column(e, t, n, r = () => ({})) {
		let i = Math.min(1.35, this.height / Math.max(t.length, 1)), a = t.map((n, a) => (this.nodes.push({
			x: e,
			y: (this.height + i * (2 * a + 1 - t.length)) / 2,
			...n ? { label: n } : {},
			...r(a)
		}), this.nodes.length - 1));
		return n && this.feet.push({
			x: e,
			text: n
		}), a;
	}
	node(e) {
		return this.nodes.push(e) - 1;
	}
	join(e, t, n = () => ({})) {
		e.forEach((e, r) => t.forEach((t, i) => {
			let a = n(r, i);
			a && this.links.push({
				from: e,
				to: t,
				...a
			});
		}));
	}
	word(e, t, n) {
		this.words.push({
			x: e,
			y: t,
			text: n
		});
	}
	done(e) {
		let t = Math.max(...this.nodes.map(({ y: e }) => e));
		return {
			caption: e,
			nodes: this.nodes,
			links: this.links,
			words: [...this.words, ...this.feet.map(({ x: e, text: n }) => ({
				x: e,
				y: t + 1.4,
				text: n
			}))]
		};
	}
}, Uo = (e) => Array.from({ length: e }, () => void 0), Wo = .02, Go = .08, Ko = (e) => {
	let t = 100 * e;
	return `${t < .1 ? "below 0.1" : t < 10 ? Number(t.toPrecision(2)) : Math.round(t)}\u00a0%`;
}, Q = (e) => Number(e.toPrecision(3)).toString().replace("-", "−"), qo = (e) => String(Number(e.toPrecision(12))), Jo = [
	"no",
	"one",
	"two",
	"three",
	"four",
	"five",
	"six",
	"seven",
	"eight"
];
function Yo(e, t, n, r = !1) {
	if (e === void 0 || !Number.isFinite(e)) return " The comparison with a trained network follows when one has been trained.";
	let i = `the area between the loss curves is ${Ko(e)} of that below ${r ? "theirs" : "its own"}`;
	return e <= Wo ? ` ${t} ${r ? "follow" : "follows"} the prediction: ${i}.` : e <= Go ? ` ${t} ${r ? "stay" : "stays"} near the prediction, not exactly on it: ${i}.` : ` ${t} ${r ? "depart" : "departs"} visibly from the prediction (${i}), because ${n}.`;
}
//#endregion
//#region src/topics/contexts.ts
var Xo = 3, Zo = .05, Qo = .004, $o = 8, es = 1.8, ts = 200, ns = .1, rs = 2e7;
function is(e) {
	let [t, n] = [Z(e, "contexts"), Z(e, "units")], r = Z(e, "scale") / n, i = Qo * 8 * t, a = Math.floor(n / 2) * r * r / 2, o = Math.max(1, Math.round(os(t, a) / Qo / ts));
	return {
		contexts: t,
		units: n,
		std: r,
		rate: i,
		start: a,
		every: o,
		times: Array.from({ length: 201 }, (e, t) => t * o * i)
	};
}
var as = /* @__PURE__ */ new Map();
function os(e, t) {
	let n = `${e} ${t}`, r = as.get(n);
	if (r === void 0) {
		let i = Array.from({ length: 81 }, (t, n) => $o * 8 * e * n / 80), { loss: a } = Ao(e, ss(e, "but_one"), t, i), o = Lo(i, a, Zo * 4) / (8 * e);
		r = Math.min($o, es * o), as.set(n, r);
	}
	return r;
}
function ss(e, t) {
	let n = (t) => Array.from({ length: e }, (e, n) => t(n)), r = Array.from({ length: e }, (e, t) => t), i = r.map((t) => n((n) => n !== e - 1 - t)), a = r.map((e) => n((t) => t === e)), o = [n(() => !0)];
	for ((t === "but_one" || t === "all") && o.push(...i), (t === "single" || t === "all" && e > 2) && o.push(...a); o.length < cs(e);) o.push(n(() => !1));
	return o;
}
function cs(e) {
	return e > 2 ? 2 * e + 1 : 3;
}
var ls;
function us(e, t) {
	let n = JSON.stringify([
		e.contexts,
		e.start,
		t
	]);
	return ls?.key !== n && (ls = {
		key: n,
		race: Ao(e.contexts, t, e.start, e.times)
	}), ls.race;
}
function* ds(e) {
	let { contexts: t, units: n, std: r, rate: i, every: a, times: o } = is(e), s = Fo(t), c = Array.from({ length: Xo }, (e, t) => vo.random(s, n, r, t)), l = c.map((e) => [e.loss()]), u = Xo * a * 3 * (8 * t) ** 2 * n, d = Math.max(1, Math.round(rs / u));
	for (let e = 1; e < o.length; e++) c.forEach((e, t) => {
		for (let t = 0; t < a; t++) e.step(i);
		l[t].push(e.loss());
	}), e % d === 0 && e < o.length - 1 && (yield { losses: l.map((e) => [...e]) });
	yield {
		losses: l,
		shares: fs(c, t)
	};
}
function fs(e, t) {
	let n = Array(t - 1).fill(0);
	for (let r of e) {
		let i = Array(t).fill(0), a = r.sizes();
		for (let e = 0; e < r.hidden; e++) {
			let n = Array.from({ length: t }, (t, n) => {
				let i = 0;
				for (let t = 0; t < 8; t++) i += r.activity[e * r.points + n * 8 + t];
				return i;
			}), o = Math.max(...n), s = n.filter((e) => e > ns * o).length;
			s > 0 && (i[s - 1] += a[e]);
		}
		let o = i.slice(0, -1).reduce((e, t) => e + t, 0);
		o > 0 && n.forEach((t, r) => n[r] += i[r] / o / e.length);
	}
	return n;
}
function ps(e, t) {
	if (e === t) return {
		label: "common, open in all contexts",
		colour: 6,
		dash: "solid"
	};
	let n = e === 1 ? "open in 1 context" : `open in ${e} contexts`;
	return e === t - 1 ? {
		label: n,
		colour: 1,
		dash: "dash"
	} : e === 1 ? {
		label: n,
		colour: 0,
		dash: "dot"
	} : {
		label: n,
		colour: e === 2 ? 2 : 3,
		dash: "dashdot"
	};
}
function ms(e, t) {
	let n = Array(t + 1).fill(0);
	for (let t of e) n[t.filter(Boolean).length]++;
	let r = [];
	n[t] && r.push(n[t] === 1 ? "a common pathway" : `${n[t]} common pathways`);
	for (let e = t - 1; e > 0; e--) {
		let t = n[e];
		if (!t) continue;
		let i = t === 1 ? "" : " each";
		r.push(`${Jo[t] ?? t} open in ${e === 1 ? "one context" : `${Jo[e]} contexts`}${i}`);
	}
	let i = r.pop();
	return i === void 0 ? "no pathway at all" : r.length ? `${r.join(", ")} and ${i}` : i;
}
function hs(e) {
	let t = Z(e, "contexts"), n = Bo(e, "gates").filter((e) => e.some(Boolean)), r = new Ho(9), i = r.column(4, [
		...Array.from({ length: 3 }, () => "item"),
		"…",
		...Array.from({ length: t }, (e, t) => `context ${t + 1}`)
	], "inputs", () => ({ side: "left" })), a = n.slice(0, 7), o = r.column(10, a.map((e) => e.map((e) => e ? "●" : "○").join("")), "pathways", (e) => ({
		colour: ps(a[e].filter(Boolean).length, t).colour,
		side: "right"
	})), s = r.column(16, [
		void 0,
		void 0,
		void 0,
		void 0,
		void 0
	], "properties"), c = (e) => ({
		colour: ps(a[e].filter(Boolean).length, t).colour,
		weight: .7
	});
	r.join(i, o, (e, t) => e < 4 || a[t].every(Boolean) ? c(t) : void 0), r.join(o, s, (e) => c(e));
	let l = n.length > a.length ? ` (${n.length - a.length} more are not drawn)` : "";
	return r.done(`Eight items in ${Jo[t]} contexts; each pathway is a linear network that is open (●) in some contexts and closed (○) in others${l}.`);
}
var gs = {
	id: "contexts",
	title: "Contexts",
	question: "Which pathways does a ReLU network share between contexts?",
	paper: {
		text: "Jarvis, Klein, Rosman and Saxe 2025, sections 4 and 5",
		href: "https://arxiv.org/abs/2503.06181"
	},
	terms: [
		"relu",
		"pathway",
		"context",
		"gating",
		"singular",
		"flow"
	],
	theory: {
		text: "Eight items have properties that all contexts share and properties that belong to one context, each block a hierarchy. A gated network has pathways that are open in some of the contexts. One that is open in all sees items and contexts; the others see items only. All start at the strength nσ²/2 of half of the ReLU network's units, because a random unit is on at any data point with probability ½, and are integrated jointly from the start. On what the common pathway leaves, pathways open in one context and in all but one would be equally fast; but those open in more contexts see more of the raw targets while the common one is still learning, and start ahead. Gates are fixed here; a ReLU network's are not, and it agrees the less the more contexts there are.",
		equations: [
			"frac{d B_{p}}{d t} = frac{1}{N} Σ_{c∈p} ( y_{c} − Σ_{j∋c} B_{j} A_{j} ) A_{p}^{T},  N = 8 C,  \"and likewise\" A_{p}",
			"\"raw targets, open in\" k \"contexts:\"  S = frac{σ}{N} sqrt{k^{2} + k}",
			"\"on what the common pathway leaves:\"  S = frac{σ}{N} sqrt{k (1 − k/C)}",
			"σ^{2} = 15, 7, 3, 3, 1, 1, 1, 1"
		]
	},
	controls(e) {
		let t = typeof e.contexts == "number" ? e.contexts : 3, n = {
			kind: "grid",
			id: "gates",
			label: "Open in context",
			help: "Each row is a pathway; click where it is to be open. A row without any is no pathway.",
			rows: Array.from({ length: cs(t) }, (e, t) => `pathway ${t + 1}`),
			columns: Array.from({ length: t }, (e, t) => `${t + 1}`),
			value: ss(t, "but_one")
		}, r = (e, t, n) => ({
			kind: "button",
			id: e,
			label: t,
			help: n,
			press: (t) => ({ gates: ss(Z(t, "contexts"), e) })
		});
		return [
			{
				kind: "slider",
				id: "contexts",
				label: "Contexts C",
				help: "How many contexts the eight items appear in.",
				min: 2,
				max: 5,
				step: 1,
				value: 3
			},
			n,
			r("but_one", "All but one", "A common pathway, and one closed in each context: what the paper finds."),
			r("single", "Single", "A common pathway, and one for each context alone."),
			r("all", "Both kinds", "A common pathway, those closed in one context and those open in one, racing."),
			r("common", "Common alone", "One pathway that is always open: a linear network."),
			{
				kind: "slider",
				id: "scale",
				label: "Initial scale σN",
				help: "Standard deviation σ of an initial weight times the number N of hidden units; 0.005 in the paper.",
				min: .001,
				max: 1,
				step: .1,
				value: .005,
				log: !0
			},
			{
				kind: "slider",
				id: "units",
				label: "Hidden units N",
				help: "Width of the ReLU networks; the paper has 500 to 700, which takes longer to train here.",
				min: 50,
				max: 500,
				step: 50,
				value: 200
			},
			Vo((e) => `${Math.round(100 * e)} %`)
		];
	},
	schematic: hs,
	ask: {
		prompt: "Eight items have some properties in every context and others in one context only. Which units will a ReLU network build for what is particular to a context?",
		options: ["Units that are on in that one context", "Units that are on in all contexts but one"],
		right: (e) => {
			let t = Z(e, "contexts");
			return +(ko(t, t - 1).raw[0] > ko(t, 1).raw[0]);
		},
		because: "A unit that is on in more contexts sees more of the targets at the start, so it is ahead when the race for what is left begins."
	},
	view(e, t) {
		let n = is(e), { contexts: r, units: i, times: a } = n, o = Bo(e, "gates"), s = us(n, o), c = o.map((e) => e.filter(Boolean).length), l = Lo(a, s.loss, Zo * 4), u = s.loss.at(-1), d = a.at(-1) * Z(e, "moment"), f = (t?.losses ?? []).map((e, t) => ({
			label: t ? `ReLU network, seed ${t}` : `ReLU networks, ${i} units`,
			x: a.slice(0, e.length),
			y: e,
			colour: 6,
			role: "trained",
			among: Xo,
			quiet: t > 0
		})), p = t?.shares && a.map((e, n) => t.losses.reduce((e, t) => e + t[n], 0) / t.losses.length), m = p && Ro(a, s.loss, p), h = p && Lo(a, p, Zo * 4), g = /* @__PURE__ */ new Set(), _ = [];
		o.forEach((e, t) => {
			let n = c[t];
			if (n === 0) return;
			let i = ps(n, r);
			_.push({
				...i,
				label: g.has(n) ? `${i.label}, pathway ${t + 1}` : i.label,
				quiet: g.has(n),
				y: s.strengths[t]
			}), g.add(n);
		});
		let v = [...g].sort((e, t) => t - e), y = g.has(r), b = v.flatMap((e) => {
			let { label: t, colour: n } = ps(e, r), { raw: i, left: a } = ko(r, e), o = Array.from(i.keys(), (e) => e + 1), s = [{
				label: e === r ? t : `${t}, raw targets`,
				x: o,
				y: i,
				colour: n
			}];
			return y && e < r && s.push({
				label: `${t}, what is left`,
				x: o.slice(0, a.length),
				y: a,
				colour: n,
				dash: e === r - 1 ? "dash" : "dot"
			}), s;
		}), x = [
			{
				id: "time",
				label: `this gating, flow time to ${Ko(Zo)} of the loss`,
				value: l,
				format: _s
			},
			...h === void 0 ? [] : [{
				id: "time_relu",
				label: "ReLU networks, the same",
				value: h,
				format: _s
			}],
			{
				id: "loss_end",
				label: "this gating, last loss",
				value: u
			},
			...m === void 0 ? [] : [{
				id: "area",
				label: "area between the loss curves",
				value: m,
				format: (e) => e.toFixed(3)
			}]
		], S = v.find((e) => e < r);
		if (S !== void 0) {
			let { raw: e, left: t } = ko(r, S);
			x.push({
				id: "s_raw",
				label: `S₁, raw targets, ${ps(S, r).label}`,
				value: e[0]
			}), y && x.push({
				id: "s_left",
				label: "S₁, on what the common one leaves",
				value: t[0]
			});
		}
		return {
			sentence: vs(o, n, {
				learned: l,
				end: u,
				gap: m,
				taught: h
			}, t?.shares),
			numbers: x,
			charts: [
				{
					kind: "lines",
					id: "loss",
					title: "Loss",
					wide: !0,
					x: {
						label: "flow time (step size × steps)",
						values: a,
						range: [0, a.at(-1)]
					},
					y: { label: "loss" },
					moment: d,
					lines: [...f, {
						label: "this gating, predicted by the race",
						y: s.loss,
						colour: 6
					}],
					marks: [{
						axis: "y",
						at: Zo * 4,
						label: "learned",
						side: "left"
					}]
				},
				{
					kind: "lines",
					id: "strengths",
					title: "What each pathway carries",
					x: {
						label: "flow time (step size × steps)",
						values: a,
						range: [0, a.at(-1)]
					},
					y: { label: "strength ‖W‖ of its map" },
					moment: d,
					lines: _
				},
				{
					kind: "lines",
					id: "values",
					title: "Effective singular values",
					x: {
						label: "mode of the pathway",
						values: Array.from({ length: 8 + r - 1 }, (e, t) => t + 1)
					},
					y: { label: "singular value S" },
					lines: b
				}
			]
		};
	},
	live: {
		label: `Train ${Jo[Xo]} ReLU networks`,
		key: (e) => [
			"contexts",
			"scale",
			"units"
		].map((t) => e[t]).join(),
		run: ds
	},
	python(e) {
		let { contexts: t, units: n, times: r } = is(e), i = Bo(e, "gates").filter((e) => e.some(Boolean)), a = [
			"import numpy as np",
			"import festina as fs",
			"",
			`task = fs.tasks.context(${t})`
		];
		if (!i.length) return [...a, "numbers = {\"time\": np.inf, \"loss_end\": task.statistics.power / 2}"].join("\n");
		let o = i.map((e) => e.filter(Boolean).length), s = Math.max(0, ...o.filter((e) => e < t)), c = [
			...a,
			`open_in = np.array([${i.map((e) => `[${e.map(Number).join(", ")}]`).join(", ")}])`,
			`std, units = ${Z(e, "scale")} / ${n}, ${n}`,
			"gates = np.repeat(open_in, 8, axis=1)",
			"always = open_in.all(axis=1)",
			"inputs = [None if a else range(8) for a in always]",
			`widths = [${8 + t - 1} if a else 8 for a in always]`,
			"start = fs.gated.Decoupled.expected(std, {f\"pathway {i + 1}\": units // 2 for i in range(len(gates))})",
			"network = fs.gated.pathways(gates, widths, inputs=inputs, initial=start)",
			`times = np.linspace(0, ${qo(r.at(-1))}, ${r.length})`,
			"path = fs.evolve(network, task, times, method=fs.Reduced())",
			"numbers = {",
			`    "time": float(path.first_passage(${Zo} * task.statistics.power / 2)),`,
			"    \"loss_end\": float(path.loss[-1]),",
			"}"
		];
		if (s > 0) {
			let e = `pathway ${o.indexOf(s) + 1}`;
			c.push("def largest(task):", "    statistics = task.statistics(network)", `    p = [label.split(" → ")[1] for label in statistics.labels].index("${e}")`, "    return float(statistics.effective[p].strengths[0])", "numbers[\"s_raw\"] = largest(task)"), o.includes(t) && c.push("linear = np.linalg.lstsq(task.x, task.y, rcond=None)[0]", "numbers[\"s_left\"] = largest(fs.Task(task.x, task.y - task.x @ linear))");
		}
		return c.join("\n");
	}
}, _s = (e) => Number.isFinite(e) ? e.toFixed(1) : "not in the time shown";
function vs(e, { contexts: t, times: n }, { learned: r, end: i, gap: a, taught: o }, s) {
	let c = ms(e, t), l = Number.isFinite(r) ? `With ${c}, the gated network has learned ${Jo[t]} contexts at flow time ${r.toFixed(0)}` : `With ${c}, the gated network still has loss ${i.toFixed(2)} of 4 at flow time ${n.at(-1).toFixed(0)}`;
	if (a === void 0 || !s) return `${l}.${Yo(void 0, "", "")}`;
	let u = o !== void 0 && Number.isFinite(o) ? `, the trained ReLU networks at ${o.toFixed(0)}` : "; the trained ReLU networks have not learned in the time shown", d = s.indexOf(Math.max(...s)) + 1, f = d === 1 ? "a single context" : `${Jo[d]} contexts`;
	return `${l}${u}.${Yo(a, "They", "their units choose and change their gates themselves, while the gating is fixed", !0)} ${Ko(s[d - 1])} of their contextual activity is in units that are on in ${f}.`;
}
//#endregion
//#region src/theory/modes.ts
var ys = 64, bs = 1e-9, xs = 200;
function Ss(e, t, n, r) {
	let { s: i, d: a } = t;
	if (r === 1) return e.map((e) => n * Math.exp(-a * e) - i / a * Math.expm1(-a * e));
	if (r === 2) return e.map((e) => Cs(e, t, n, 0)[0]);
	let o = i / a, s = n / o;
	if (r === Infinity) return Ds(e, t, n);
	let c = r * i * o ** (1 - 2 / r);
	if (s === 0 || s === 1) return e.map(() => n);
	if (s < 1) {
		let t = Ps(s, 2 / r - 1);
		return e.map((e) => e > 0 ? o * t(c * e) : n);
	}
	let l = Ps(s, 2 - 2 / r);
	return e.map((e) => e > 0 ? o / l(c * e) : n);
}
function Cs(e, { s: t, d: n }, r, i) {
	let a = r * i, o = Math.hypot(t, 2 * n * Math.sqrt(r) * Math.sqrt(i)), s = o > 0 ? Math.exp(-2 * o * e) : 1, c = o > 0 ? -Math.expm1(-2 * o * e) * n / o : n > 0 ? 2 * n * e : 0, l = o > 0 ? (t + o) / (2 * o) : .5, u = o > 0 ? 2 * n * n * a / (o * (o + t)) : .5, d = (e, t, n) => e > 0 ? (e * (t + n * s) + (a > 0 ? a * c : 0)) / (e * c + t * s + n) : 0;
	return [d(r, l, u), d(i, u, l)];
}
function ws(e, t, n, r) {
	let i = Math.hypot(r, 2 * n), a = n >= 0 ? (i + 2 * n) / 4 : r ** 2 / (4 * (i - 2 * n) || 1), o = n < 0 ? (i - 2 * n) / 4 : r ** 2 / (4 * (i + 2 * n) || 1);
	return e.map((e) => {
		let [n, r] = Cs(e, t, a, o);
		return n - r;
	});
}
function Ts(e, { s: t, d: n }, r, i) {
	let a = t / n;
	if (!(r <= e && e < a || r >= e && e > a) || !(r > 0 || i === 1)) return e === r ? 0 : Infinity;
	let [o, s] = [e / a, r / a];
	if (i === 1) return Math.log1p((o - s) / (1 - o)) / n;
	if (i === 2) return Math.log1p((o - s) / (s * (1 - o))) / (2 * t);
	let c = s > 1, l = js(c ? 2 - 2 / i : 2 / i - 1), u = (e) => {
		let t = c ? Math.abs(1 - e) / e : Math.abs(1 - e);
		return l(c ? 1 / e : e, t, Math.log(t));
	};
	return (u(o) - u(s)) / ((i === Infinity ? 1 : i) * t * a ** (1 - 2 / i));
}
function Es({ s: e, d: t }, n) {
	return 1 / (t * n * (e / t) ** (2 - 2 / n));
}
function Ds(e, { s: t, d: n }, r) {
	let i = t / (n * r) - 1;
	if (r === 0 || i === 0 || !Number.isFinite(i)) return e.map(() => r);
	if (i < 0) {
		let i = Ps(n * r / t, 2);
		return e.map((e) => e > 0 ? t / n / i(t * t / n * e) : r);
	}
	return e.map((e) => e > 0 ? t / n / (1 + Os(Math.log(i) + i - t * t / n * e)) : r);
}
function Os(e) {
	if (e === -Infinity) return 0;
	if (e < -50) return Math.exp(e);
	let t = e < 1 ? Math.exp(Math.min(e, 0)) / (1 + Math.exp(Math.min(e, 0))) + 1e-300 : e - Math.log(e);
	for (let n = 0; n < xs; n++) {
		let n = (t + Math.log(t) - e) / (1 + t);
		if (t *= Math.exp(-n), Math.abs(n) < 1e-15 * (1 + 1 / t) || Math.abs(n) < 1e-16) break;
	}
	return t;
}
function ks(e) {
	let [t, n] = [0, e];
	for (; n < 10; n++) t -= 1 / n;
	let r = 1 / (n * n), i = r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r * (1 / 240 - r * (1 / 132 - r * 691 / 32760)))));
	return t + Math.log(n) - .5 / n - i;
}
function As(e, t) {
	return Math.abs(e) > .25 ? t ** e / e : e ? Math.expm1(e * Math.log(t)) / e : Math.log(t);
}
function js(e) {
	let t = Ms.get(e);
	return t || (t = Ns(e), Ms.set(e, t)), t;
}
var Ms = /* @__PURE__ */ new Map();
function Ns(e) {
	let t = new Float64Array(ys), n = new Float64Array(ys), r = -.5772156649015329;
	for (let i = 0; i < ys; i++) t[i] = r - ks(e + Math.max(i, 2)), n[i] = (e + i) / (i + 1), r += 1 / (i + 1);
	return (r, i, a) => {
		let o = 0;
		if (r < .5) {
			let t = r ** (e + 2);
			for (let n = 0; n < ys && t > 1e-18 * o; n++) o += t / (e + 2 + n), t *= r;
		} else {
			let s = 1;
			o = i;
			for (let e = 0; e < ys; e++) {
				let r = s * (t[e] - a);
				if (o += r, s *= n[e] * i, e > 2 && Math.abs(r) < 1e-18 * Math.abs(o)) break;
			}
			o *= r ** e;
		}
		return As(e, r) + As(e + 1, r) + o;
	};
}
function Ps(e, t) {
	let n = js(t), r = e > 1 ? (e - 1) / e : 1 - e, i = e > 1 ? 1 / e : e, a = Math.log(i) - Math.log(r), o = n(i, r, Math.log(r));
	return (e) => {
		if (e === Infinity) return 1;
		let s = e * i ** -t;
		if (!(s > 1e-9)) return i + i * r * s;
		let c = a + Math.min(e, s), l = a + Math.max(e, s), u = i ** t + t * e, d = u > 0 ? Math.log(u) / (t || 1) : 0;
		d = u > 0 && d < 0 ? d - Math.log1p(-Math.exp(Math.min(d, -1e-12))) : e + a;
		let f = Math.min(Math.max(Number.isFinite(d) ? d : a, c), l), p = i;
		for (let r = 0; r < xs; r++) {
			let r = 1 / (1 + Math.exp(-f)), i = 1 / (1 + Math.exp(f)), a = n(r, i, f > 0 ? -f - Math.log1p(Math.exp(-f)) : -Math.log1p(Math.exp(f))) - (o + e), s = a * r ** -t;
			p = r - r * i * s, a <= 0 && (c = f), a >= 0 && (l = f);
			let u = f - s;
			if (!(Math.abs(s) > bs + 4 * 2 ** -52 * Math.abs(f))) break;
			f = u >= c && u <= l ? u : .5 * (c + l);
		}
		return p;
	};
}
//#endregion
//#region src/theory/attention.ts
function Fs({ eigenvalues: e, length: t }) {
	let n = e.reduce((e, t) => e + t, 0), r = e.map((e) => e ** 2), i = e.map((e, i) => r[i] * ((1 + 1 / t) * e + n / t));
	return {
		s: r,
		c: i,
		ends: r.map((e, t) => e / i[t]),
		trace: n
	};
}
function Is(e, t) {
	return Math.abs(e) < 1e-14 * t ? 0 : e;
}
function Ls(e) {
	let { s: t, ends: n, trace: r } = Fs(e), i = [.5 * r];
	return t.forEach((e, t) => i.push(i[t] - .5 * e * n[t])), i.map((e) => Is(e, r));
}
function Rs({ eigenvalues: e }, t, n) {
	let { s: r, c: i, trace: a } = Fs({
		eigenvalues: e,
		length: n
	}), o = e.length, s = a;
	for (let n = 0; n < o; n++) {
		s -= 2 * r[n] * t[n * o + n];
		for (let r = 0; r < o; r++) s += t[n * o + r] ** 2 * (i[n] / e[n]) * e[r];
	}
	return Is(.5 * s, a);
}
function zs(e, t) {
	let { eigenvalues: n } = e, { c: r, ends: i, trace: a } = Fs(e), o = n.length;
	return Array.from({ length: o + 1 }, (e, s) => {
		let c = 0;
		for (let e = 0; e < o; e++) for (let a = 0; a < o; a++) {
			let l = t[e * o + a] - (e === a && e < s ? i[e] : 0);
			c += l * l * (r[e] / n[e]) * n[a];
		}
		return c / a;
	});
}
function Bs(e) {
	let t = e.length;
	return Array.from({ length: t * t }, (n, r) => r % (t + 1) ? 0 : e[r / (t + 1)]);
}
function Vs({ s: e, c: t, start: n }, r) {
	return Ss(r, {
		s: e,
		d: t
	}, n, 3);
}
function Hs({ s: e, c: t, start: n }, r) {
	return Ts(r * e / t, {
		s: e,
		d: t
	}, n, 3);
}
function Us(e, t, n) {
	let { s: r, c: i } = Fs(e);
	return r.slice(0, t).map((e, t) => ({
		component: t,
		head: t,
		s: e,
		c: i[t],
		start: n ** 3
	}));
}
function Ws(e) {
	let t = 0;
	for (let n = 0; n + 1 < e.length; n++) {
		let r = Hs(e[n + 1], .5) - Hs(e[n], .5);
		t = Math.max(t, (Hs(e[n], .9) - Hs(e[n], .1)) / Math.max(r, 1e-300));
	}
	return t;
}
var Gs = (e, t, n) => Array.from({ length: n }, (r, i) => e * (t / e) ** (i / (n - 1))), Ks = [
	...Gs(1e-4, .02, 16).slice(0, -1),
	...Array.from({ length: 97 }, (e, t) => .02 + .01 * t),
	...Gs(.02, 1e-6, 16).slice(1).map((e) => 1 - e)
], qs = 400, Js = 400, Ys = 1e-8;
function Xs(e, t) {
	if (t <= e[0]) return Ks[0];
	let n = e.length - 1;
	if (t >= e[n]) return Ks[n];
	let [r, i] = [0, n];
	for (; i - r > 1;) {
		let n = r + i >> 1;
		e[n] <= t ? r = n : i = n;
	}
	return Ks[r] + (Ks[i] - Ks[r]) * (t - e[r]) / (e[i] - e[r]);
}
function Zs(e, t) {
	let { s: n, c: r, ends: i } = Fs(e), a = Math.sqrt(3) * Math.cbrt(Math.max(...i)), o = new Map(t.value.map((e, n) => [n, [
		e,
		...t.key[n],
		...t.query[n]
	]])), s = [], c = [];
	for (; o.size && s.length < n.length;) {
		let e;
		for (let [t, r] of o) {
			let i = Qs(r, n, s, a);
			(!e || i.time < e.time) && (e = {
				head: t,
				...i
			});
		}
		if (!e || !Number.isFinite(e.time)) break;
		let t = e.unit.slice(1, 1 + n.length).map((e, t) => s.some(({ component: e }) => e === t) ? 0 : Math.abs(e)), i = t.indexOf(Math.max(...t)), l = {
			component: i,
			head: e.head,
			s: n[i],
			c: r[i],
			start: (n[i] * e.time) ** -3,
			time: e.time
		};
		c.push(l), s.push({
			component: i,
			times: Ks.map((e) => e * l.s <= l.start * l.c ? 0 : Hs(l, e))
		}), o.delete(e.head);
	}
	return c.sort((e, t) => e.time - t.time);
}
function Qs(e, t, n, r) {
	let i = Math.sqrt(e.reduce((e, t) => e + t * t, 0)), a = t.length, o = t.map((e, t) => n.some(({ component: e }) => e === t) ? 0 : e), s = Math.max(...o);
	if (i === 0 || s === 0) return {
		time: Infinity,
		unit: e
	};
	let [c, l] = [2 * a + 1, new Float64Array(a)], u = (e, t, n) => {
		let r = 0;
		for (let i = 0; i < a; i++) {
			let [o, s] = [e[1 + i], e[1 + a + i]];
			r += o * t[i] * s, n[1 + i] = e[0] * t[i] * s, n[1 + a + i] = e[0] * t[i] * o;
		}
		n[0] = r;
		let i = 0;
		for (let t = 0; t < c; t++) i += e[t] * n[t];
		return i;
	}, d = (e, r) => {
		for (let e = 0; e < a; e++) l[e] = t[e];
		for (let { component: r, times: a } of n) l[r] -= t[r] * Xs(a, e[c + 1] / i);
		let o = u(e, l, r);
		for (let t = 0; t < c; t++) r[t] -= o * e[t];
		r[c] = o, r[c + 1] = Math.exp(-e[c]);
	}, f = Math.log(r / i), p = Float64Array.from([
		...e.map((e) => e / i),
		0,
		0
	]), m = p;
	for (let e = qs / s, t = 0; t < 2; t++, e /= Js) {
		let t = Array.from({ length: 401 }, (t, n) => e * n / Js);
		if (wo(d, p, t, Ys, Ys * .001, (e, t) => (p = m, m = t.slice(), t[c] >= f)), m[c] < f) break;
	}
	let h = u(m, o, new Float64Array(c)), g = Array.from(m.subarray(0, c));
	return h <= 1e-6 * s ? {
		time: Infinity,
		unit: g
	} : {
		time: (m[c + 1] + Math.exp(-m[c]) / h) / i,
		unit: g
	};
}
var $s = 5, ec = [
	"2",
	"8",
	"32",
	"128",
	"inf"
];
function tc(e, t) {
	let n = Array.from({ length: e }, (e, n) => t ** n), r = n.reduce((e, t) => e + t, 0);
	return n.map((t) => e * t / r);
}
function nc(e) {
	let [t, n, r] = [
		Z(e, "dimension"),
		Z(e, "heads"),
		Z(e, "start")
	], i = zo(e, "length"), a = {
		eigenvalues: tc(t, Z(e, "ratio")),
		length: i === "inf" ? Infinity : Number(i)
	}, o = zo(e, "weights") === "random", s = go($s), c = () => Array.from({ length: t }, () => Number((r * s()).toPrecision(6))), l = (e) => Array.from({ length: t }, (t, n) => n === e ? r : 0), u = Array.from({ length: n }, (e, n) => o ? {
		key: c(),
		query: c(),
		value: c()[0]
	} : {
		key: l(n),
		query: l(n),
		value: n < t ? r : 0
	});
	return {
		task: a,
		start: r,
		random: o,
		heads: {
			key: u.map(({ key: e }) => e),
			query: u.map(({ query: e }) => e),
			value: u.map(({ value: e }) => e)
		}
	};
}
function rc({ setting: { task: e }, wins: t }, n) {
	let r = e.eigenvalues.map(() => n.map(() => 0));
	for (let e of t) Vs(e, n).forEach((t, n) => r[e.component][n] += t);
	return r;
}
function ic(e, t, n) {
	return Rs(e, Bs(t.map((e) => e[n])), e.length);
}
var ac = (e) => [
	"dimension",
	"ratio",
	"length",
	"heads",
	"start",
	"weights"
].map((t) => e[t]).join(" "), oc;
function sc(e) {
	let t = ac(e);
	if (oc?.key !== t) {
		let n = nc(e), { task: r, heads: i, start: a, random: o } = n, s = o ? Zs(r, i) : Us(r, i.value.length, a), c = s.map((e) => Hs(e, .5)), l = (e) => e.filter((e) => Number.isFinite(e) && e > 0), u = 1.4 * (Math.max(...l(s.map((e) => Hs(e, .99))), 0) || 1), d = Math.min(.15 * Math.min(...l(c), u), .02 * u), f = Array.from({ length: 241 }, (e, t) => d * (u / d) ** (t / 240)), p = rc({
			setting: n,
			wins: s
		}, f);
		oc = {
			key: t,
			solution: {
				setting: n,
				wins: s,
				halves: c,
				times: f,
				strengths: p,
				loss: f.map((e, t) => ic(r, p, t)),
				levels: Ls(r),
				ends: Fs(r).ends
			}
		};
	}
	return oc.solution;
}
//#endregion
//#region src/learn/attention.ts
var cc = class {
	task;
	value;
	key;
	query;
	map;
	size;
	s;
	b;
	gradient;
	up;
	down;
	constructor(e, { value: t, key: n, query: r }) {
		this.task = e, this.size = e.eigenvalues.length, this.value = Float64Array.from(t), this.key = Float64Array.from(n.flat()), this.query = Float64Array.from(r.flat());
		let { s: i, c: a } = Fs(e);
		this.s = i, this.b = a.map((t, n) => t / e.eigenvalues[n]), this.map = new Float64Array(this.size ** 2), this.gradient = new Float64Array(this.size ** 2), this.up = new Float64Array(this.size), this.down = new Float64Array(this.size), this.refresh();
	}
	refresh() {
		let { size: e, value: t, key: n, query: r, map: i } = this;
		i.fill(0);
		for (let a = 0; a < t.length; a++) for (let o = 0; o < e; o++) {
			let s = t[a] * n[a * e + o];
			for (let t = 0; t < e; t++) i[o * e + t] += s * r[a * e + t];
		}
		for (let t = 0; t < e; t++) for (let n = 0; n < e; n++) this.gradient[t * e + n] = (t === n ? this.s[t] : 0) - this.b[t] * i[t * e + n] * this.task.eigenvalues[n];
	}
	step(e) {
		let { size: t, value: n, key: r, query: i, gradient: a, up: o, down: s } = this;
		for (let c = 0; c < n.length; c++) {
			let [l, u] = [n[c], c * t], d = 0;
			o.fill(0), s.fill(0);
			for (let e = 0; e < t; e++) for (let n = 0; n < t; n++) {
				let c = a[e * t + n];
				o[e] += c * i[u + n], s[n] += c * r[u + e];
			}
			for (let n = 0; n < t; n++) d += r[u + n] * o[n], r[u + n] += e * l * o[n], i[u + n] += e * l * s[n];
			n[c] += e * d;
		}
		this.refresh();
	}
}, lc = 200, uc = 4e5, dc = 2e4;
function* fc(e) {
	let t = sc(e), { setting: n, times: r } = t, { task: i, heads: a } = n, { c: o, ends: s } = Fs(i), c = new cc(i, a), l = r[r.length - 1], u = Math.max(...a.value.map(Math.abs), ...a.key.flat().map(Math.abs), ...a.query.flat().map(Math.abs)), d = Math.max(...o.map((e, t) => 3 * e * Math.max(s[t] ** (4 / 3), a.value.length * u ** 4))), f = Math.min(Math.max(.05 / d, Math.min(l / uc, .2 / d)), l / 500), p = Math.ceil(l / f), m = {
		times: [],
		loss: [],
		maps: [],
		expected: []
	}, h = (e) => {
		let n = Array.from(c.map);
		m.times.push(e * f), m.loss.push(Rs(i, n, i.length)), m.maps.push(n), m.expected.push(ic(i, rc(t, [e * f]), 0));
	}, g = (l / r[0]) ** (1 / lc), _ = 0;
	for (let e = 0; e <= p; e++) (e >= _ || e === p) && (h(e), _ = Math.max(e + 1, Math.ceil(r[0] / f), Math.round(e * g))), e < p && c.step(f), (e + 1) % dc === 0 && (yield { ...m });
	yield { ...m };
}
//#endregion
//#region src/topics/in_context.ts
var pc = Array.from({ length: 49 }, (e, t) => 2 ** (t / 6)), mc = .5;
function hc(e, t) {
	let { setting: n, halves: r, times: i, strengths: a, loss: o, levels: s, ends: c } = sc(e), { task: l } = n, u = Math.round(Z(e, "moment") * 240), d = {
		label: "flow time",
		values: i,
		log: !0,
		range: [i[0], i[240]]
	}, f = i[u], p = l.eigenvalues.length, m = Bs(a.map((e) => e[u])), h = t && t.times.length > 2 ? t : void 0, g = h ? h.times.findIndex((e) => e >= .999 * f) : -1, _ = g >= 0 ? h.maps[g] : void 0, v = h && Ro(h.times, h.expected, h.loss), y = (e) => `component ${e + 1} (λ = ${Q(l.eigenvalues[e])})`, b = i.map((e, t) => zs(l, Bs(a.map((e) => e[t])))), x = h?.maps.map((e) => zs(l, e)), S = (e, t, n = "trained attention", r = !0) => ({
		label: n,
		x: h.times.slice(1),
		y: e.slice(1),
		colour: t,
		role: "trained",
		quiet: r
	}), C = [
		{
			id: "first",
			label: "first component half learned",
			value: r[0],
			unit: "flow time"
		},
		{
			id: "last",
			label: "last component half learned",
			value: r[r.length - 1],
			unit: "flow time"
		},
		{
			id: "plateau",
			label: "loss after the first drop",
			value: s[1]
		},
		{
			id: "least",
			label: "least loss possible",
			value: s[p]
		},
		{
			id: "loss",
			label: "loss at the moment",
			value: o[u]
		},
		...v === void 0 ? [] : [{
			id: "area",
			label: "area between prediction and network (∫|ΔL|/∫L)",
			value: v
		}]
	], w = [
		{
			kind: "lines",
			id: "loss",
			title: "Loss, and the plateaus it is predicted to wait on",
			wide: !0,
			x: d,
			y: { label: "loss" },
			moment: f,
			lines: [...h ? [S(h.loss, 6, "trained attention", !1)] : [], {
				label: "prediction",
				y: o,
				colour: 6
			}],
			marks: s.map((e, t) => ({
				axis: "y",
				at: e,
				label: t === 0 ? "nothing learned" : `${Jo[t] ?? t} learned`,
				...t ? {
					colour: (t - 1) % 6,
					side: "left"
				} : {}
			}))
		},
		{
			kind: "lines",
			id: "strengths",
			title: "Strength of each principal component",
			x: d,
			y: { label: "strength eᵀMe" },
			moment: f,
			lines: [...h ? l.eigenvalues.map((e, t) => S(h.maps.map((e) => e[t * p + t]), t)) : [], ...a.map((e, t) => ({
				label: y(t),
				y: e,
				colour: t
			}))]
		},
		{
			kind: "lines",
			id: "distance",
			title: "Distance from regression on the first m components",
			x: d,
			y: {
				label: "⟨(ŷ − ŷₘ)²⟩ / ⟨y²⟩",
				range: [0, Math.max(...b.map((e) => Math.max(...e))) * 1.05]
			},
			moment: f,
			lines: Array.from({ length: p }, (e, t) => t + 1).flatMap((e) => [...x ? [S(x.map((t) => t[e]), e - 1)] : [], {
				label: e === 1 ? "m = 1" : `m = ${e}`,
				y: b.map((t) => t[e]),
				colour: e - 1
			}])
		},
		...[["predicted", m], ["trained", _]].flatMap(([e, t]) => t ? [{
			kind: "heat",
			id: `map_${e}`,
			title: e === "predicted" ? "Predicted map M at the moment" : "Trained attention's map M",
			label: "entry of M",
			matrix: Array.from({ length: p }, (e, n) => Array.from({ length: p }, (e, r) => t[n * p + r])),
			rows: l.eigenvalues.map((e, t) => `e${t + 1}`),
			columns: l.eigenvalues.map((e, t) => `e${t + 1}`),
			bound: Math.max(...c)
		}] : []),
		{
			kind: "lines",
			id: "risk",
			title: "Loss with n examples in the context, at the moment",
			wide: !0,
			x: {
				label: "examples n",
				values: pc,
				log: !0,
				range: [1, 256]
			},
			y: { label: "loss" },
			lines: [
				..._ ? [{
					label: "trained attention",
					y: pc.map((e) => Rs(l, _, e)),
					colour: 6,
					role: "trained"
				}] : [],
				{
					label: "prediction",
					y: pc.map((e) => Rs(l, m, e)),
					colour: 6
				},
				{
					label: "once all is learned",
					y: pc.map((e) => Rs(l, Bs(c), e)),
					colour: 2,
					role: "reference",
					dash: "dash"
				}
			],
			marks: Number.isFinite(l.length) ? [{
				axis: "x",
				at: l.length,
				label: `N = ${l.length}`
			}] : []
		}
	];
	return {
		sentence: gc(e, v),
		numbers: C,
		charts: w
	};
}
function gc(e, t) {
	let { setting: n, wins: r, halves: i, levels: a } = sc(e), { task: o, random: s } = n, c = o.eigenvalues.length, l = n.heads.value.length, u = r.every(({ component: e }, t) => e === t) ? ", the one of largest variance first," : "", d = Ws(r) <= mc, f = i.map(Q).join(", "), p = r.length === 1 ? "one principal component" : `${Jo[r.length]} principal components`;
	return `${`${l === 1 ? "One head learns" : `${Jo[l] ?? l} heads learn`} ${p} of the inputs`.replace(/^./, (e) => e.toUpperCase())}${r.length < 2 ? `, half of it by t = ${f}` : d ? ` one after another${u} each half learned at t = ${f}` : `${u} so close together (t = ${f}) that their drops overlap and hardly leave plateaus`}${r.length < c ? `; the loss ends at ${Q(a[r.length])}, above the least possible ${Q(a[c])}, because a head of rank one holds one component` : `; the loss ends at the least possible, ${Q(a[c])}`}.${Yo(t, "The trained attention", s ? "heads of this size feel each other before they have turned to a component" : "the step of training is not small")}`;
}
function _c(e) {
	let { task: t, heads: n } = nc(e), r = n.value.length, i = [
		"x₁ y₁",
		"x₂ y₂",
		"…",
		Number.isFinite(t.length) ? `x y (${t.length})` : "x y (∞)",
		"query x"
	], a = i.map((e, t) => ({
		x: 5,
		y: 1 + 1.7 * t,
		shape: "square",
		label: e,
		side: "left",
		...t === 4 ? { colour: 1 } : {}
	})), o = [], s = Math.min(1.7, 6.8 / Math.max(1, r - 1));
	for (let e = 0; e < r; e++) {
		let t = a.length;
		a.push({
			x: 10,
			y: 4.4 + s * (e - (r - 1) / 2),
			colour: e % 6
		}), i.forEach((n, r) => o.push({
			from: r,
			to: t,
			colour: e % 6,
			weight: .6
		})), o.push({
			from: t,
			to: i.length + r,
			colour: e % 6
		});
	}
	return a.push({
		x: 15,
		y: 4.4,
		label: "ŷ",
		side: "right"
	}), {
		caption: `A sequence shows examples of a regression that is new each time, then a query; ${r === 1 ? "one head" : `${Jo[r] ?? r} heads`} of linear attention must answer it from the context.`,
		nodes: a,
		links: o,
		words: [
			{
				x: 5,
				y: 9.6,
				text: "sequence"
			},
			{
				x: 10,
				y: 9.6,
				text: "heads v k qᵀ"
			},
			{
				x: 15,
				y: 9.6,
				text: "answer"
			}
		]
	};
}
var vc = {
	id: "in_context",
	title: "In context",
	question: "How does attention learn to learn from the examples in its context?",
	paper: {
		text: "Zhang, Singh, Latham and Saxe 2025, Training dynamics of in-context learning in linear attention",
		href: "https://arxiv.org/abs/2501.16265"
	},
	terms: [
		"attention",
		"component",
		"strength",
		"saddle",
		"loss",
		"flow",
		"area"
	],
	theory: {
		text: "Every sequence shows N examples of a new linear regression and then a query. Attention without softmax answers with one matrix M between the correlation β of the examples and the query. With separate key and query of rank one, each head is a chain of three layers. From small weights the network waits at a saddle, learns the principal component of largest variance, waits at the next saddle, and so on: after m drops it does regression on the first m principal components in context. Heads that start on a component each are solved exactly. From random weights a head turns to a component while it is small; the time at which it would diverge says from which strength its chain starts.",
		equations: [
			"ŷ = β^{T} M x_{q},  β = frac{1}{N} Σ_{n} y_{n} x_{n},  M = Σ_{h} v_{h} k_{h} q_{h}^{T}",
			"frac{d u_{d}}{d t} = 3 u_{d}^{4/3} (s_{d} − c_{d} u_{d}),  s_{d} = λ_{d}^{2},  c_{d} = λ_{d}^{2} ( (1 + frac{1}{N}) λ_{d} + frac{Tr Λ}{N} )",
			"L_{m} = frac{1}{2} ( Tr Λ − Σ_{d ≤ m} frac{s_{d}^{2}}{c_{d}} )"
		]
	},
	controls: [
		{
			kind: "slider",
			id: "dimension",
			label: "Dimension D",
			min: 2,
			max: 5,
			step: 1,
			value: 3,
			help: "Number of input dimensions, and so of principal components."
		},
		{
			kind: "slider",
			id: "ratio",
			label: "Ratio of neighbouring variances",
			min: .4,
			max: .9,
			step: .05,
			value: .6,
			help: "Each principal component has this share of the variance of the one before; the mean variance is one.",
			format: (e) => e.toFixed(2)
		},
		{
			kind: "choice",
			id: "length",
			label: "Examples N in a sequence",
			value: "32",
			options: ec.map((e) => ({
				value: e,
				label: e === "inf" ? "∞" : e
			})),
			help: "With few examples the correlation β is noisy, and the best answer shrinks."
		},
		{
			kind: "slider",
			id: "heads",
			label: "Heads",
			min: 1,
			max: 8,
			step: 1,
			value: 4,
			help: "Each head has rank one and can hold one principal component."
		},
		{
			kind: "slider",
			id: "start",
			label: "Size of initial weights σ",
			min: .01,
			max: .1,
			step: .05,
			value: .02,
			log: !0,
			help: "Standard deviation of random weights, or the size of value, key and query of heads on the components."
		},
		{
			kind: "choice",
			id: "weights",
			label: "Heads start",
			value: "random",
			options: [{
				value: "random",
				label: "at random"
			}, {
				value: "aligned",
				label: "on the components"
			}],
			help: "On the components the prediction is exact; at random it is the race of heads, an approximation for small weights."
		},
		Vo((e) => `${Math.round(100 * e)} %`)
	],
	schematic: _c,
	ask: {
		prompt: "In every sequence the network must find a new regression. How will its loss fall while it learns to do this?",
		options: [
			"Smoothly from the beginning",
			"In one drop, when it understands the task",
			"In steps, one for each principal component of the inputs"
		],
		right: (e) => Ws(sc(e).wins) <= mc ? 2 : 0,
		because: "Key, query and value of a head multiply each other, so a head grows slowly while it is small and then suddenly, and the component of largest variance pulls hardest."
	},
	view: hc,
	live: {
		label: "Train linear attention",
		key: ac,
		run: fc
	},
	python: (e) => {
		let { task: t, heads: n, random: r, start: i } = nc(e), { times: a } = sc(e), o = Math.round(Z(e, "moment") * 240), [s, c] = [t.eigenvalues.length, Number.isFinite(t.length) ? t.length : "math.inf"], l = (e) => JSON.stringify(e), u = r ? `fs.initial.Weights([np.array(${l(n.query)}), np.array(${l(n.key)}), np.array(${l([n.value])})])` : `fs.attention.AlignedHeads(${i} ** 3)`;
		return [
			"import math",
			"",
			"import numpy as np",
			"",
			"import festina as fs",
			"",
			`variances = ${Z(e, "ratio")} ** np.arange(${s})`,
			`task = fs.tasks.in_context_regression(${s} * variances / variances.sum(), length=${c})`,
			`initial = ${u}`,
			`network = fs.LinearAttention(heads=${n.value.length}, initial=initial)`,
			`method = ${zo(e, "weights") === "random" ? "fs.Reduced()" : "fs.Exact()"}`,
			`path = fs.evolve(network, task, [0.0, ${qo(a[o])}], method=method)`,
			"levels = task.plateaus",
			...r ? ["half = path.notes[\"times\"]"] : [`s, ends = task.eigenvalues[:${n.value.length}] ** 2, task.final_strengths[:${n.value.length}]`, `half = fs.linear.time_to_strength(0.5 * ends, s, s / ends, ${i} ** 3, 3)`],
			"numbers = {",
			"    \"first\": float(half[0]),",
			"    \"last\": float(half[-1]),",
			"    \"plateau\": float(levels[1]),",
			"    \"least\": float(levels[-1]),",
			"    \"loss\": float(path.loss[-1]),",
			"}"
		].join("\n");
	}
};
//#endregion
//#region src/theory/matrix.ts
function $(e, t) {
	return {
		rows: e,
		columns: t,
		data: new Float64Array(e * t)
	};
}
function yc(e) {
	let t = $(e, e);
	for (let n = 0; n < e; n++) t.data[n * e + n] = 1;
	return t;
}
function bc(e) {
	let t = $(e.length, e[0]?.length ?? 0);
	return e.forEach((e, n) => t.data.set(e, n * t.columns)), t;
}
function xc(e) {
	return Array.from({ length: e.rows }, (t, n) => Array.from(e.data.subarray(n * e.columns, (n + 1) * e.columns)));
}
function Sc(e) {
	return {
		rows: e.rows,
		columns: e.columns,
		data: e.data.slice()
	};
}
function Cc(e, t) {
	return Array.from({ length: e.rows }, (n, r) => e.data[r * e.columns + t]);
}
function wc(e) {
	let t = $(e.columns, e.rows);
	for (let n = 0; n < e.rows; n++) for (let r = 0; r < e.columns; r++) t.data[r * e.rows + n] = e.data[n * e.columns + r];
	return t;
}
function Tc(e, t, n = $(e.rows, t.columns)) {
	let { rows: r, columns: i } = e, a = t.columns, o = n.data;
	o.fill(0);
	for (let n = 0; n < r; n++) for (let r = 0; r < i; r++) {
		let s = e.data[n * i + r];
		if (s !== 0) for (let e = 0; e < a; e++) o[n * a + e] += s * t.data[r * a + e];
	}
	return n;
}
function Ec(e, t, n = $(e.columns, t.columns)) {
	let r = n.data;
	r.fill(0);
	for (let n = 0; n < e.rows; n++) for (let i = 0; i < e.columns; i++) {
		let a = e.data[n * e.columns + i];
		if (a !== 0) for (let e = 0; e < t.columns; e++) r[i * t.columns + e] += a * t.data[n * t.columns + e];
	}
	return n;
}
function Dc(e, t, n = $(e.rows, t.rows)) {
	let r = e.columns;
	for (let i = 0; i < e.rows; i++) for (let a = 0; a < t.rows; a++) {
		let o = 0;
		for (let n = 0; n < r; n++) o += e.data[i * r + n] * t.data[a * r + n];
		n.data[i * t.rows + a] = o;
	}
	return n;
}
function Oc(e, t) {
	return {
		rows: e.rows,
		columns: e.columns,
		data: e.data.map((e) => t * e)
	};
}
function kc(e, t) {
	let n = 0;
	for (let r = 0; r < e.data.length; r++) n += e.data[r] * t.data[r];
	return n;
}
function Ac(e) {
	let t = 0;
	for (let n = 0; n < Math.min(e.rows, e.columns); n++) t += e.data[n * e.columns + n];
	return t;
}
function jc(e, t, n, r, i, a, o) {
	for (let s = 0; s < n; s++) {
		let n = e[s * t + r], c = e[s * t + i];
		e[s * t + r] = a * n - o * c, e[s * t + i] = o * n + a * c;
	}
}
var Mc = 60;
function Nc(e, t) {
	let n = e / (2 * t), r = Math.abs(n) > 1e150 ? Math.abs(n) : Math.sqrt(1 + n * n);
	return (n >= 0 ? 1 : -1) / (Math.abs(n) + r);
}
function Pc(e) {
	let t = e.rows, n = Sc(e), r = yc(t), i = (e, r) => n.data[e * t + r];
	for (let e = 0; e < Mc; e++) {
		let e = !1;
		for (let a = 0; a < t - 1; a++) for (let o = a + 1; o < t; o++) {
			let s = i(a, o);
			if (Math.abs(s) <= 2 ** -52 * .25 * Math.sqrt(Math.abs(i(a, a) * i(o, o))) || s === 0 || Math.abs(s) < 1e-300) continue;
			e = !0;
			let c = Nc(i(o, o) - i(a, a), s), l = 1 / Math.sqrt(1 + c * c), u = c * l;
			jc(n.data, t, t, a, o, l, u);
			for (let e = 0; e < t; e++) {
				let r = i(a, e), s = i(o, e);
				n.data[a * t + e] = l * r - u * s, n.data[o * t + e] = u * r + l * s;
			}
			n.data[a * t + o] = n.data[o * t + a] = 0, jc(r.data, t, t, a, o, l, u);
		}
		if (!e) break;
	}
	let a = Array.from({ length: t }, (e, t) => t).sort((e, t) => i(t, t) - i(e, e));
	return {
		values: Float64Array.from(a, (e) => i(e, e)),
		vectors: Fc(r, a)
	};
}
function Fc(e, t) {
	let n = $(e.rows, t.length);
	for (let r = 0; r < e.rows; r++) t.forEach((i, a) => n.data[r * t.length + a] = e.data[r * e.columns + i]);
	return n;
}
function Ic(e) {
	if (e.rows < e.columns) {
		let { left: t, values: n, right: r } = Ic(wc(e));
		return {
			left: r,
			values: n,
			right: t
		};
	}
	let { rows: t, columns: n } = e, r = Sc(e), i = yc(n);
	for (let e = 0; e < Mc; e++) {
		let e = !1;
		for (let a = 0; a < n - 1; a++) for (let o = a + 1; o < n; o++) {
			let [s, c, l] = [
				0,
				0,
				0
			];
			for (let e = 0; e < t; e++) {
				let t = r.data[e * n + a], i = r.data[e * n + o];
				s += t * t, c += i * i, l += t * i;
			}
			if (l === 0 || Math.abs(l) <= 2 * 2 ** -52 * Math.sqrt(s * c)) continue;
			e = !0;
			let u = Nc(c - s, l), d = 1 / Math.sqrt(1 + u * u);
			jc(r.data, n, t, a, o, d, u * d), jc(i.data, n, n, a, o, d, u * d);
		}
		if (!e) break;
	}
	let a = Array.from({ length: n }, (e, t) => Math.hypot(...Cc(r, t))), o = a.map((e, t) => t).sort((e, t) => a[t] - a[e]), s = Float64Array.from(o, (e) => a[e]), c = Fc(r, o), l = 2 ** -52 * Math.max(t, n) * (s[0] ?? 0), u = [];
	for (let e = 0; e < n; e++) {
		s[e] > l && u.push(e);
		for (let r = 0; r < t; r++) c.data[r * n + e] /= s[e] > l ? s[e] : Infinity;
	}
	return {
		left: Lc(c, u),
		values: s,
		right: Fc(i, o)
	};
}
function Lc(e, t) {
	let n = Sc(e), r = [...t], i = 0;
	for (let a = 0; a < e.columns; a++) if (!t.includes(a)) {
		for (; i < e.rows; i++) {
			let t = new Float64Array(e.rows);
			t[i] = 1;
			for (let i = 0; i < 2; i++) for (let i of r) {
				let r = 0;
				for (let a = 0; a < e.rows; a++) r += t[a] * n.data[a * e.columns + i];
				for (let a = 0; a < e.rows; a++) t[a] -= r * n.data[a * e.columns + i];
			}
			let o = Math.hypot(...t);
			if (!(o < .5 / Math.sqrt(e.rows))) {
				for (let r = 0; r < e.rows; r++) n.data[r * e.columns + a] = t[r] / o;
				break;
			}
		}
		r.push(a);
	}
	return n;
}
function Rc(e) {
	let t = Ic(e), n = (e) => {
		let t = $(e.rows, e.rows);
		for (let n = 0; n < e.rows; n++) for (let r = 0; r < e.columns; r++) t.data[n * e.rows + r] = e.data[n * e.columns + r];
		return Lc(t, Array.from({ length: e.columns }, (e, t) => t));
	};
	return {
		left: n(t.left),
		values: t.values,
		right: n(t.right)
	};
}
function zc(e, t = $(e.rows, e.columns)) {
	let { rows: n, columns: r, data: i } = e, a = new Float64Array(r);
	for (let e = 0; e < r; e++) {
		let t = 0;
		for (let a = e; a < n; a++) t = Math.max(t, Math.abs(i[a * r + e]));
		if (t === 0) continue;
		let o = 0;
		for (let a = e; a < n; a++) o += (i[a * r + e] / t) ** 2;
		let s = t * Math.sqrt(o), c = i[e * r + e], l = c > 0 ? -s : s, u = c - l;
		for (let t = e + 1; t < n; t++) i[t * r + e] /= u;
		a[e] = -u / l, i[e * r + e] = l;
		for (let t = e + 1; t < r; t++) {
			let o = i[e * r + t];
			for (let a = e + 1; a < n; a++) o += i[a * r + e] * i[a * r + t];
			o *= a[e], i[e * r + t] -= o;
			for (let a = e + 1; a < n; a++) i[a * r + t] -= o * i[a * r + e];
		}
	}
	t.data.fill(0);
	for (let e = 0; e < r; e++) t.data[e * r + e] = 1;
	for (let e = r - 1; e >= 0; e--) for (let o = e; o < r; o++) {
		let s = t.data[e * r + o];
		for (let a = e + 1; a < n; a++) s += i[a * r + e] * t.data[a * r + o];
		s *= a[e], t.data[e * r + o] -= s;
		for (let a = e + 1; a < n; a++) t.data[a * r + o] -= s * i[a * r + e];
	}
	return t;
}
//#endregion
//#region src/theory/riccati.ts
var Bc = 4 * 2 ** -52;
function Vc({ first: e, second: t, cross: n, curvature: r, lambda: i }) {
	let { left: a, values: o, right: s } = Rc(n), c = o[0] ?? 0, l = 2 ** -52 * Math.max(n.rows, n.columns) * c, u = o.map((e) => e > l ? e : 0);
	for (let e = 0; e < u.length;) {
		let t = e + 1;
		for (; t < u.length && u[t - 1] - u[t] <= 4 * u.length * 2 ** -52 * c;) t++;
		let n = u.slice(e, t).reduce((e, t) => e + t, 0) / (t - e);
		u.fill(n, e, t), e = t;
	}
	let d = r * Math.abs(i) / 2, [f, p] = [new Float64Array(u.length), new Float64Array(u.length)];
	u.forEach((e, t) => {
		let n = Math.hypot(e, d), r = n > 0 ? Math.hypot(n + d, e) : 1;
		f[t] = n > 0 ? (n + d) / r : 1, p[t] = e / r;
	});
	let m = Math.sqrt(r);
	return {
		left: a,
		right: s,
		s: u,
		large: f,
		small: p,
		qv: Oc(Ec(s, wc(e)), m),
		qu: Oc(Ec(a, t), m)
	};
}
function Hc(e) {
	return Math.sqrt(kc(e, e));
}
function Uc(e, t) {
	let { s: n, qv: r, qu: i } = e, a = n.length, o = r.columns, [s, c] = t >= 0 ? [e.small, e.large] : [e.large, e.small], l = i.rows > a ? i : r, u = i.rows > a ? t / 2 : -t / 2, d = a + a + l.rows - a, f = $(d, o), p = new Float64Array(d), m = new Float64Array(d), h = new Float64Array(d), [g, _] = [Hc(r), Hc(i)], v = Bc * Math.sqrt(d), y = Math.abs(t) / 2;
	for (let e = 0; e < a; e++) {
		for (let t = 0; t < o; t++) {
			let [n, l] = [r.data[e * o + t], i.data[e * o + t]];
			f.data[e * o + t] = s[e] * n + c[e] * l, f.data[(a + e) * o + t] = c[e] * n - s[e] * l;
		}
		p[e] = v * (s[e] * g + c[e] * _), p[a + e] = v * (c[e] * g + s[e] * _), h[e] = Math.hypot(n[e], y), h[a + e] = -h[e], m[e] = m[a + e] = h[e] > 0 ? n[e] * (n[e] / (h[e] + y)) : 0;
	}
	for (let e = a; e < l.rows; e++) f.data.set(l.data.subarray(e * o, (e + 1) * o), (a + e) * o), p[a + e] = v * Hc(l), h[a + e] = u;
	return {
		m: f,
		noise: p,
		grows: Array.from({ length: d }, (e, t) => t < a ? h[t] > 0 : t >= 2 * a && u > 0),
		excess: m,
		phi: h
	};
}
function Wc({ m: e, noise: t, grows: n, excess: r, phi: i }) {
	let { rows: a, columns: o } = e, s = (e) => n[e] ? r[e] : i[e], c = Array.from({ length: a }, (e, t) => t);
	c.sort((e, t) => n[e] === n[t] ? s(t) - s(e) || e - t : n[e] ? -1 : 1);
	let l = [];
	c.forEach((e, t) => {
		let r = c[t - 1];
		r !== void 0 && s(r) === s(e) && n[r] === n[e] ? l[l.length - 1].push(e) : l.push([e]);
	});
	let u = new Int32Array(a), d = [], f = [], p = (t) => e.data.subarray(t * o, (t + 1) * o);
	l.forEach((e, n) => {
		for (let t of e) u[t] = n;
		let r = d.length, i = e.map((e) => qc(p(e), d)), a = e.map((e) => t[e] + Jc(p(e), d, f, p, t)), s = new Set(e.keys());
		for (let e of [...s]) Kc(i[e]) > a[e] || s.delete(e);
		for (; s.size && d.length < o;) {
			let t = [...s].reduce((e, t) => Kc(i[t]) > Kc(i[e]) ? t : e), n = Kc(i[t]);
			if (!(n > a[t])) break;
			let o = i[t].map((e) => e / n);
			d.push(o), f.push(e[t]), s.delete(t);
			for (let e of s) i[e] = qc(i[e], d.slice(r));
		}
	});
	let m = $(d.length, a);
	return d.forEach((e, t) => {
		for (let n = 0; n < a; n++) m.data[t * a + n] = u[n] < u[f[t]] ? 0 : Gc(e, p(n));
	}), {
		hat: m,
		leads: f
	};
}
function Gc(e, t) {
	let n = 0;
	for (let r = 0; r < e.length; r++) n += e[r] * t[r];
	return n;
}
function Kc(e) {
	return Math.sqrt(Gc(e, e));
}
function qc(e, t) {
	let n = Float64Array.from(e);
	for (let e = 0; e < 2; e++) {
		let e = t.map((e) => Gc(n, e));
		t.forEach((t, r) => {
			for (let i = 0; i < n.length; i++) n[i] -= e[r] * t[i];
		});
	}
	return n;
}
function Jc(e, t, n, r, i) {
	let a = new Float64Array(t.length), o = 0;
	for (let s = t.length - 1; s >= 0; s--) {
		let c = Gc(t[s], e);
		for (let e = s + 1; e < t.length; e++) c -= Gc(t[s], r(n[e])) * a[e];
		a[s] = c / Gc(t[s], r(n[s])), o += Math.abs(a[s]) * i[n[s]];
	}
	return o;
}
function Yc({ grows: e, excess: t, phi: n }, { hat: r, leads: i }, a) {
	let o = n.length, s = i.length, c = o + s, [l, u, d, f] = [
		o,
		o,
		o,
		c
	].map((e) => new Float64Array(e)), p = new Float64Array(c * s), m = new Int32Array(c), h = $(c, s), g = $(c, s), _ = new Float64Array(o * s), v = n.map((e) => Math.abs(e));
	return (y) => {
		let b = a * y, x = Math.sqrt(y);
		for (let r = 0; r < o; r++) {
			let i = 2 * v[r] * y;
			l[r] = .5 * Math.log(i > 0 ? -Math.expm1(-i) / i : 1), u[r] = (e[r] ? t[r] * y : 0) + l[r], d[r] = n[r] < 0 ? Math.exp(-i / 2) : 1;
		}
		p.fill(0), f.fill(0);
		for (let t = 0; t < s; t++) {
			let n = i[t], a = 0;
			for (let i = 0; i < o; i++) {
				let c = r.data[t * o + i];
				if (c === 0) continue;
				let l = u[i] - u[n] - (!e[i] && e[n] ? b : 0), d = l < 0 ? c * Math.exp(l) : c;
				p[i * s + t] = d, a = Math.max(a, Math.abs(d));
			}
			let l = Math.exp(-u[n] - (e[n] ? b : 0)) / x;
			p[(c - 1 - t) * s + t] = l, a = Math.max(a, l);
			for (let e = 0; e < c; e++) {
				let n = p[e * s + t] / a;
				p[e * s + t] = n, Math.abs(n) > f[e] && (f[e] = Math.abs(n));
			}
		}
		for (let e = 0; e < c; e++) {
			let t = e;
			for (; t > 0 && f[m[t - 1]] < f[e]; t--) m[t] = m[t - 1];
			m[t] = e;
		}
		for (let e = 0; e < c; e++) for (let t = 0; t < s; t++) h.data[e * s + t] = p[m[e] * s + t];
		zc(h, g);
		for (let e = 0; e < c; e++) {
			let t = m[e];
			if (t >= o) continue;
			let n = d[t] * Math.exp(-l[t]) / x;
			for (let r = 0; r < s; r++) _[t * s + r] = n * g.data[e * s + r];
		}
		return _;
	};
}
//#endregion
//#region src/theory/balanced.ts
var Xc = 1e-150, Zc = 1e290;
function Qc(e, t, n) {
	let { left: r, values: i, right: a } = Rc(e), o = $(t, e.columns), s = $(e.rows, t);
	for (let c = 0; c < t; c++) {
		let l = c < Math.min(e.rows, e.columns) ? i[c] : 0, u = Math.sqrt((Math.hypot(n, 2 * l) + Math.abs(n)) / 2), d = u > 0 ? l / u : 0, [f, p] = n > 0 ? [d, u] : [u, d];
		for (let t = 0; t < e.columns && c < e.columns; t++) o.data[c * e.columns + t] = f * a.data[t * e.columns + c];
		for (let n = 0; n < e.rows && c < e.rows; n++) s.data[n * t + c] = p * r.data[n * e.rows + c];
	}
	return {
		first: o,
		second: s
	};
}
function $c(e, t, n, r) {
	return e.rows * kc(t, r) + Ac(t) * Ac(n) + Ac(r) * Ac(e) + t.rows * kc(e, n);
}
function el(e, t, n, r) {
	let i = Math.sqrt($c(e, t, e, t) * $c(n, r, n, r));
	return i > 0 ? Math.max(1 - $c(e, t, n, r) / i, 0) : 0;
}
function tl(e) {
	let { cross: t, curvature: n, lambda: r } = e, i = n * r, a = Vc(e), o = Uc(a, i), s = Wc(o), c = a.s.length, [l, u] = i >= 0 ? [a.small, a.large] : [a.large, a.small], d = Zc / (2 * Math.max(1, ...o.phi.map(Math.abs))), f = Math.sqrt(n), p = s.leads.length, m = Yc(o, s, Math.abs(i) / 2), h = $(t.columns, p), g = $(t.rows, p), _ = $(t.rows, t.columns), [v, y] = [$(t.columns, t.columns), $(t.rows, t.rows)], b = {
		r: Oc(Dc(a.qv, a.qv), 1 / n),
		a: Oc(Dc(a.qu, a.qu), 1 / n)
	}, x = $c(b.r, b.a, b.r, b.a), S = (e) => {
		let n = m(Math.min(Math.max(e, Xc), d));
		for (let e = 0; e < p; e++) {
			for (let t = 0; t < c; t++) {
				let r = n[t * p + e], i = n[(c + t) * p + e];
				h.data[t * p + e] = (l[t] * r + u[t] * i) / f, g.data[t * p + e] = (u[t] * r - l[t] * i) / f;
			}
			for (let r = c; r < t.columns; r++) h.data[r * p + e] = n[(c + r) * p + e] / f;
			for (let r = c; r < t.rows; r++) g.data[r * p + e] = n[(c + r) * p + e] / f;
		}
	}, C = (e, t) => {
		let n = Tc(e, t);
		return Dc(n, n);
	};
	return (e) => {
		let r = [], i = [], o = Array.from({ length: c }, () => []);
		for (let s of e) {
			S(s), Dc(g, h, _);
			for (let e = 0; e < c; e++) {
				let r = e * t.columns + e;
				o[e].push(_.data[r]), _.data[r] -= a.s[e] / n;
			}
			r.push(.5 * n * kc(_, _)), Dc(h, h, v), Dc(g, g, y);
			let e = Math.sqrt(x * $c(v, y, v, y));
			i.push(e > 0 ? Math.max(1 - $c(b.r, b.a, v, y) / e, 0) : 0);
		}
		let s = (t, n) => (S(e[t]), n());
		return {
			loss: r,
			kernelDistance: i,
			strengths: o,
			input: (e) => s(e, () => C(a.right, h)),
			output: (e) => s(e, () => C(a.left, g)),
			map: (e) => s(e, () => Dc(Tc(a.left, g), Tc(a.right, h)))
		};
	};
}
//#endregion
//#region src/topics/lazy_setting.ts
var nl = [
	1,
	.5,
	.25
], rl = [
	-1.6,
	.6,
	Math.sqrt(3 - 1.6 ** 2 - .6 ** 2)
], il = 400, al = .1, ol = [.01, 1e3], sl = {
	square: {
		inputs: 3,
		outputs: 3,
		label: "square (3–3–3)"
	},
	funnel: {
		inputs: 6,
		outputs: 3,
		label: "funnel (6–3–3)"
	},
	fan: {
		inputs: 3,
		outputs: 6,
		label: "fan (3–3–6)"
	}
};
function cl(e) {
	let t = $(e, e);
	for (let n = 0; n < e; n++) for (let r = 0; r < e; r++) t.data[n * e + r] = Math.sqrt((r ? 2 : 1) / e) * Math.cos(Math.PI * (n + .5) * r / e);
	return t;
}
function ll(e, t) {
	let [n, r] = [cl(t), cl(e)], i = $(t, e);
	return rl.forEach((a, o) => {
		let [s, c] = [o, e - 1 - (o + 1) % 3];
		for (let o = 0; o < t; o++) for (let l = 0; l < e; l++) i.data[o * e + l] += a * n.data[o * t + s] * r.data[l * e + c];
	}), i;
}
function ul(e) {
	let { inputs: t, outputs: n } = sl[zo(e, "shape")] ?? sl.square, [r, i] = [Z(e, "lambda"), Z(e, "scale")], a = $(n, t);
	nl.forEach((e, n) => a.data[n * t + n] = e);
	let o = ll(t, n), { first: s, second: c } = Qc(Oc(o, i), 3, r), [l, u] = [nl[0], nl[nl.length - 1]], d = Math.log(.001 / Math.hypot(l, r / 2)), f = Math.log(1e3 * Math.hypot(u, r / 2) / u ** 2), p = [0, ...Array.from({ length: il }, (e, t) => Math.exp(d + (f - d) * t / 399))];
	return {
		problem: {
			first: s,
			second: c,
			cross: a,
			curvature: 1,
			lambda: r
		},
		lambda: r,
		scale: i,
		map: o,
		times: p
	};
}
function dl({ lambda: e, times: t }, { loss: n, kernelDistance: r }) {
	let i = Math.max(...r), a = Math.abs(e) / (2 * nl[0]), o = r.findIndex((e) => e >= i / 2), s = r.findIndex((e) => e >= i / 10), c = n[n.length - 1];
	return {
		name: i < .1 ? "lazy" : a <= 1 ? "rich" : "delayed rich",
		distance: i,
		imbalance: a,
		delay: t[o],
		lazyShare: n[0] > c ? (n[0] - n[s]) / (n[0] - c) : 0
	};
}
function fl(e, t, n, r) {
	let i = n[0] + r * (n[n.length - 1] - n[0]), a = n.findIndex((e) => e <= i);
	if (a <= 0) return 0;
	let [o, s] = [t[a - 1], t[a]], [c, l] = [n[a - 1] - i, n[a] - i];
	for (let t = 0; t < 40 && s - o > 1e-13 * s; t++) {
		let n = o + (s - o) * c / (c - l), r = 1e-9 * (s - o) + 1e-14 * s, a = t % 4 == 3 ? .5 * (o + s) : Math.min(Math.max(n + (t % 2 ? r : -r), o + r), s - r), u = e([a]).loss[0] - i;
		u <= 0 ? [s, l] = [a, u] : [o, c] = [a, u];
	}
	return .5 * (o + s);
}
var pl = (e) => [
	"lambda",
	"scale",
	"shape"
].map((t) => e[t]).join(" "), ml;
function hl(e) {
	let t = pl(e);
	if (ml?.key !== t) {
		let n = ul(e), r = tl(n.problem), i = r(n.times), [a, o] = [.1, .9].map((e) => fl(r, n.times, i.loss, e));
		ml = {
			key: t,
			solution: {
				setting: n,
				path: r,
				found: i,
				regime: dl(n, i),
				wait: a / o
			}
		};
	}
	return ml.solution;
}
//#endregion
//#region src/learn/linear.ts
function gl(e, t, n, r) {
	let i = $(e, t);
	for (let e = 0; e < i.data.length; e++) i.data[e] = n * r();
	return i;
}
function _l(e, t, n) {
	return zc(gl(e, t, 1, n));
}
function vl(e, t, n, r, i, a) {
	let o = e.columns, s = [
		e,
		...Array.from({ length: r - 1 }, () => _l(n, o, a)),
		t
	], c = i ** (1 / r);
	return Array.from({ length: r }, (e, t) => {
		let n = Dc(s[t + 1], s[t]);
		return n.data.forEach((e, t) => n.data[t] = c * e), n;
	});
}
var yl = class {
	cross;
	curvature;
	weights;
	below;
	above;
	miss;
	back;
	change;
	constructor(e, t, n) {
		this.cross = t, this.curvature = n, this.weights = e.map(Sc), this.below = [yc(t.columns), ...e.map((e) => $(e.rows, t.columns))], this.above = [...e.map((e) => $(t.rows, e.columns)), yc(t.rows)], this.miss = $(t.rows, t.columns), this.back = e.map((e) => $(e.rows, t.columns)), this.change = e.map((e) => $(e.rows, e.columns)), this.refresh();
	}
	refresh() {
		let e = this.weights.length;
		this.below[1].data.set(this.weights[0].data);
		for (let t = 1; t < e; t++) Tc(this.weights[t], this.below[t], this.below[t + 1]);
		this.above[e - 1].data.set(this.weights[e - 1].data);
		for (let t = e - 2; t > 0; t--) Tc(this.above[t + 1], this.weights[t], this.above[t]);
		let t = this.map.data, { data: n } = this.miss;
		for (let e = 0; e < n.length; e++) n[e] = this.cross.data[e] - this.curvature * t[e];
	}
	get map() {
		return this.below[this.weights.length];
	}
	get loss() {
		return kc(this.miss, this.miss) / (2 * this.curvature);
	}
	hidden(e) {
		return this.below[e];
	}
	step(e) {
		let t = this.weights.length;
		for (let n = 0; n < t; n++) {
			let r = n === t - 1 ? this.miss : Ec(this.above[n + 1], this.miss, this.back[n]), i = n === 0 ? r : Dc(r, this.below[n], this.change[n]), { data: a } = this.weights[n];
			for (let t = 0; t < a.length; t++) a[t] += e * i.data[t];
		}
		this.refresh();
	}
};
function bl(e, t, n) {
	let r = Tc(e, n);
	return Array.from({ length: n.columns }, (e, n) => {
		let i = 0;
		for (let e = 0; e < t.rows; e++) i += t.data[e * t.columns + n] * r.data[e * r.columns + n];
		return i;
	});
}
//#endregion
//#region src/topics/lazy_train.ts
var xl = 4e5, Sl = 15e5;
function* Cl(e) {
	let { problem: t } = ul(e), { first: n, second: r, cross: i } = t, a = tl(t), o = new yl([n, r], i, 1), s = (e) => Math.sqrt(e.data.reduce((e, t) => e + t * t, 0)), c = .05 / Math.max(s(n) ** 2 + s(r) ** 2, 2 * nl.length * Math.hypot(nl[0], t.lambda / 2)), l = Math.min(Math.ceil(ol[1] / c), xl), u = {
		r: Ec(n, n),
		a: Dc(r, r)
	}, d = {
		times: [],
		loss: [],
		moved: [],
		strengths: nl.map(() => []),
		expected: [],
		rate: c
	}, f = (e) => {
		let [t, n] = o.weights;
		d.times.push(e * c), d.loss.push(o.loss), d.expected.push(a([e * c]).loss[0]), d.moved.push(el(u.r, u.a, Ec(t, t), Dc(n, n))), nl.forEach((e, t) => d.strengths[t].push(o.map.data[t * o.map.columns + t]));
	}, [p, m] = [0, 0];
	for (let e = 0; e <= l; e++) (e >= p || e === l) && (f(e), p = Math.max(e + 1, Math.round(e * 1.05))), e < l && o.step(c), m += 12 * i.data.length * 3, m > Sl && (m = 0, yield { ...d });
	yield { ...d };
}
//#endregion
//#region src/topics/lazy.ts
function wl(e, t) {
	let { setting: n, path: r, found: i, regime: a, wait: o } = hl(e), { problem: s, lambda: c, times: l } = n, u = l.map((e, t) => t).filter((e) => l[e] > ol[0] / 1.1 && l[e] < ol[1] * 1.1), d = (e) => u.map((t) => e[t]), f = {
		label: "flow time",
		values: d(l),
		log: !0,
		range: ol
	}, p = ol[0] * (ol[1] / ol[0]) ** Z(e, "moment"), m = [{
		label: "prediction",
		y: d(i.loss),
		colour: 6
	}], h = [{
		label: "prediction",
		y: d(i.kernelDistance),
		colour: 6
	}], g, _ = i.strengths.map((e, t) => ({
		label: `mode ${t + 1} (s = ${nl[t]})`,
		y: d(e),
		colour: t
	})), v = [
		{
			id: "kernel_distance",
			label: "farthest kernel distance",
			value: a.distance
		},
		{
			id: "imbalance",
			label: "imbalance |λ|/2s",
			value: a.imbalance
		},
		{
			id: "delay",
			label: "kernel half way at",
			value: a.delay,
			unit: "flow time"
		},
		{
			id: "lazy_share",
			label: "share learned before the kernel turned",
			value: a.lazyShare
		},
		{
			id: "wait",
			label: "wait: time to 10 % over time to 90 % learned",
			value: o
		}
	];
	if (t && t.times.length > 2) {
		let e = t.times.slice(1);
		m.unshift({
			label: "trained network",
			x: e,
			y: t.loss.slice(1),
			colour: 6,
			role: "trained"
		}), h.unshift({
			label: "trained network",
			x: e,
			y: t.moved.slice(1),
			colour: 6,
			role: "trained"
		}), _.unshift(...t.strengths.map((t, n) => ({
			label: "trained network",
			x: e,
			y: t.slice(1),
			colour: n,
			role: "trained",
			quiet: !0
		}))), g = Ro(t.times, t.expected, t.loss), v.push({
			id: "area",
			label: "area between prediction and network (∫|ΔL|/∫L)",
			value: g
		});
	}
	let y = r([p]), b = Array.from({ length: s.cross.columns }, (e, t) => `${t + 1}`), x = Array.from({ length: s.cross.rows }, (e, t) => `${t + 1}`);
	return {
		sentence: El(n, a, o) + Yo(g, "The trained network", "the step of training is not small for weights of this size"),
		numbers: v,
		charts: [
			{
				kind: "lines",
				id: "loss",
				title: "Loss",
				x: f,
				y: { label: "loss" },
				lines: m,
				moment: p
			},
			{
				kind: "lines",
				id: "kernel",
				title: "Turn of the tangent kernel",
				x: f,
				y: {
					label: "kernel distance",
					range: [0, 1]
				},
				lines: h,
				moment: p,
				marks: [{
					axis: "y",
					at: al,
					label: "lazy below",
					side: "left"
				}]
			},
			{
				kind: "lines",
				id: "strengths",
				title: "Strength of each mode of the task",
				x: f,
				y: { label: "strength uᵀW₂W₁v" },
				lines: _,
				moment: p
			},
			Tl(c, n.scale),
			{
				kind: "heat",
				id: "input",
				title: "Input representation W₁ᵀW₁",
				label: "similarity of inputs",
				matrix: xc(y.input(0)),
				rows: b,
				columns: b
			},
			{
				kind: "heat",
				id: "output",
				title: "Output representation W₂W₂ᵀ",
				label: "similarity of outputs",
				matrix: xc(y.output(0)),
				rows: x,
				columns: x
			}
		]
	};
}
function Tl(e, t) {
	let n = {
		s: nl[0],
		d: 1
	}, r = Math.min(t, .1), i = (e) => {
		let [t, i] = [0, 1e3];
		for (let a = 0; a < 80; a++) {
			let a = .5 * (t + i);
			ws([a], n, r, e)[0] >= .5 ? i = a : t = a;
		}
		return i;
	}, a = Array.from({ length: 121 }, (e, t) => t / 30), o = (e) => {
		let t = i(e);
		return ws(a.map((e) => e * t), n, r, e);
	};
	return {
		kind: "lines",
		id: "shape",
		title: `Sigmoid to exponential: one mode from ${Q(r)}`,
		x: {
			label: "time over the mode's half time",
			values: a,
			range: [0, 4]
		},
		y: {
			label: "strength over its end",
			range: [0, 1.02]
		},
		lines: [
			{
				label: "balanced",
				y: o(0),
				colour: 6,
				dash: "dot",
				role: "reference"
			},
			{
				label: "|λ| → ∞",
				y: a.map((e) => 1 - (1 - r) * (.5 / (1 - r)) ** e),
				colour: 6,
				dash: "dash",
				role: "reference"
			},
			{
				label: `here, λ = ${Q(e)}`,
				y: o(e),
				colour: 0
			}
		]
	};
}
function El({ lambda: e, scale: t }, { name: n, distance: r, delay: i, lazyShare: a }, o) {
	let s = e > 0 ? "the output layer is the stronger" : e < 0 ? "the input layer is the stronger" : "the layers are balanced", c = n === "lazy" ? `learning is lazy: the kernel turns by ${Q(r)} at most, and representations stay near where they started` : n === "rich" ? `learning is rich: the kernel turns by ${Q(r)}, half of it by t = ${Q(i)}, and representations take the task's form` : `learning is delayed rich: ${Ko(a)} of the loss goes while the kernel hardly moves, then it turns by ${Q(r)}, half of it by t = ${Q(i)}`, l = o > .15 ? "in sigmoids, after a wait" : o > .03 ? "almost exponentially" : "fast at first, with a long tail";
	return `At λ = ${Q(e)} and scale ${Q(t)} ${s} and ${c}; the loss falls ${l}.`;
}
function Dl(e) {
	let { problem: t, lambda: n } = ul(e), r = new Ho(8), i = r.column(3, Uo(t.cross.columns), "inputs"), a = r.column(9, Uo(3), "hidden units"), o = r.column(15, Uo(t.cross.rows), "outputs"), [s, c] = [Math.sqrt(Math.max(1 - n / 3, .5)), Math.sqrt(Math.max(1 + n / 3, .5))];
	r.join(i, a, () => ({
		weight: s,
		colour: 0
	})), r.join(a, o, () => ({
		weight: c,
		colour: 1
	})), r.word(6, -.4, "W₁"), r.word(12, -.4, "W₂");
	let l = n > 0 ? "the output layer W₂ starts stronger" : n < 0 ? "the input layer W₁ starts stronger" : "both layers start equally strong";
	return r.done(`A linear network of two layers learns a map with three modes; ${l}.`);
}
var Ol = {
	id: "rich_and_lazy",
	title: "Rich and lazy",
	question: "Does a network learn features, or does it only combine those it starts with?",
	paper: {
		text: "Dominé et al. 2025, From lazy to rich: exact learning dynamics in deep linear networks",
		href: "https://arxiv.org/abs/2409.14623"
	},
	terms: [
		"rich",
		"kernel",
		"balance",
		"mode",
		"strength",
		"flow",
		"area"
	],
	theory: {
		text: "Two layers keep the difference W₂ᵀW₂ − W₁W₁ᵀ while they learn. Where it is λ·1 and inputs are white, learning is solved exactly from any such start. Small λ and small weights are rich: the tangent kernel turns and representations take the task's form, in a sigmoid. Large |λ| is lazy in a square network, with an exponential; in a funnel (more inputs than outputs) only λ > 0 is lazy, while λ < 0 first learns lazily and turns its kernel later, after a time of order |λ|/s²; in a fan it is the other way round.",
		equations: [
			"W_{2}^{T} W_{2} − W_{1} W_{1}^{T} = λ 1,  Q = ( W_{1}^{T} ; W_{2} )",
			"frac{d}{d t} (Q Q^{T}) = F Q Q^{T} + Q Q^{T} F − (Q Q^{T})^{2},  F = ( −frac{λ}{2}, Σ_{yx}^{T} ; Σ_{yx}, frac{λ}{2} )",
			"\"one aligned mode:\"  frac{d a}{d t} = sqrt{λ^{2} + 4 a^{2}} (s − a)",
			"K = 1 ⊗ X W_{1}^{T} W_{1} X^{T} + W_{2} W_{2}^{T} ⊗ X X^{T},  \"distance\" = 1 − frac{⟨K_{0}, K⟩}{‖K_{0}‖ ‖K‖}"
		]
	},
	controls: [
		{
			kind: "slider",
			id: "lambda",
			label: "Imbalance λ",
			min: -10,
			max: 10,
			step: .25,
			value: 0,
			help: "W₂ᵀW₂ − W₁W₁ᵀ = λ·1; above 0 the output layer is the stronger."
		},
		{
			kind: "slider",
			id: "scale",
			label: "Scale of the start",
			min: .001,
			max: 3,
			step: .05,
			value: .01,
			log: !0,
			help: "Root-mean-square singular value of the map W₂W₁ at time 0; the task's is about 0.78."
		},
		{
			kind: "choice",
			id: "shape",
			label: "Shape",
			value: "square",
			options: Object.entries(sl).map(([e, { label: t }]) => ({
				value: e,
				label: t
			})),
			help: "Inputs, hidden units, outputs."
		},
		Vo((e) => `t = ${Q(ol[0] * (ol[1] / ol[0]) ** e)}`)
	],
	schematic: Dl,
	ask: {
		prompt: "Both layers start small and equally strong. Will the network keep the features it starts with, or learn its own?",
		options: ["It keeps them and combines them: lazy learning", "It learns its own: rich learning"],
		right: (e) => hl(e).regime.name === "lazy" ? 0 : 1,
		because: "Small weights have to turn towards the task before they can grow; only where one layer is much stronger can the other learn alone and leave the features as they are."
	},
	view: wl,
	live: {
		label: "Train the network",
		key: pl,
		run: Cl
	},
	python: (e) => {
		let { problem: t, lambda: n, scale: r, map: i, times: a } = ul(e), o = (e) => JSON.stringify(xc(e));
		return [
			"import numpy as np",
			"import scipy",
			"",
			"import festina as fs",
			"",
			`x = ${t.cross.columns} ** 0.5 * np.eye(${t.cross.columns})`,
			`task = fs.Task(x, x @ np.array(${o(wc(t.cross))}))`,
			`initial = fs.initial.Balanced(${r}, lambda_=${n}, map=${o(i)})`,
			"network = fs.DeepLinear(hidden=(3,), initial=initial)",
			"regime = network.regime(task)",
			"loss = lambda t: float(fs.evolve(network, task, np.array([t])).loss[0])",
			`latest = ${qo(a[a.length - 1])}`,
			"begin, end = loss(0.0), loss(latest)",
			"lose = lambda share: scipy.optimize.brentq(lambda t: loss(t) - begin - share * (end - begin), 0.0, latest, xtol=1e-14)",
			"numbers = {",
			"    \"kernel_distance\": regime.kernel_distance,",
			"    \"imbalance\": abs(initial.lambda_) / 2,",
			"    \"delay\": regime.delay,",
			"    \"lazy_share\": regime.lazy_share,",
			"    \"wait\": lose(0.1) / lose(0.9),",
			"}"
		].join("\n");
	}
}, kl = 1e-12, Al = 1e-9;
function jl(e, t) {
	return Array.from({ length: e }, (e, n) => t(n));
}
function Ml(e) {
	let t = 2 ** e;
	return jl(t, String).map((n, r) => {
		let i = [];
		for (let n = 0; n <= e; n++) for (let e = 0; e < 2 ** n; e++) i.push(+(Math.floor(r * 2 ** n / t) === e));
		return i;
	});
}
function Nl(e) {
	return jl(e, String).map((t, n) => jl(e, String).map((e, t) => +(t <= n)));
}
function Pl(e, t) {
	return jl(e * t, String).map((n, r) => jl(e, String).map((e, n) => +(Math.floor(r / t) === n)));
}
function Fl(e) {
	let t = e.reduce((e, t) => e * t, 1);
	return jl(t, String).map((n, r) => {
		let [i, a, o] = [
			[],
			r,
			t
		];
		for (let t of e) {
			o /= t;
			let e = Math.floor(a / o);
			a -= e * o, i = i.concat(jl(t, String).map((t, n) => +(n === e)));
		}
		return i;
	});
}
function Il(e, t, n) {
	let r = $(t.rows, t.columns);
	for (let i = 0; i < t.rows; i++) for (let a = 0; a < t.columns; a++) r.data[i * t.columns + a] = t.data[i * t.columns + a] * Math.sqrt(n * Math.max(e[a], 0));
	return Tc(r, wc(t));
}
function Ll(e, t, n, r) {
	let i = e ** t, a = $(i, i);
	for (let r = 0; r < i; r++) for (let o = 0; o < i; o++) {
		let s = t;
		for (let [t, n] = [r, o]; t !== n; [t, n] = [Math.floor(t / e), Math.floor(n / e)]) s--;
		a.data[r * i + o] = (1 - 2 * n) ** (2 * (t - s));
	}
	let { values: o, vectors: s } = Pc(a);
	return Il(o, s, r);
}
function Rl(e, t, n, r) {
	let i = $(e, e);
	for (let t = 0; t < e; t++) i.data[t * e + t] = 1 / r ** 2;
	for (let [n, r] of t) i.data[n * e + n] += 1, i.data[r * e + r] += 1, --i.data[n * e + r], --i.data[r * e + n];
	let { values: a, vectors: o } = Pc(i);
	return Il(a.map((e) => 1 / e), o, n);
}
function zl(e, t, n) {
	return Rl(e, jl(e, String).map((t, n) => [n, (n + 1) % e]), t, n);
}
function Bl(e, t, n, r) {
	let i = [];
	for (let n = 0; n < e * t; n++) (n + 1) % t && i.push([n, n + 1]), n + t < e * t && i.push([n, n + t]);
	return Rl(e * t, i, n, r);
}
function Vl(e) {
	let { y: t } = e, n = t.rows, r = Ic(t), i = r.values[0] ?? 0, a = r.values.filter((e) => e > kl * i).length, o = r.values.slice(0, a), s = [];
	for (let e = 0; e < a; e++) e > 0 && o[e - 1] - o[e] <= Al * i ? s[s.length - 1].push(e) : s.push([e]);
	let c = $(n, a);
	for (let e of s) {
		let i = e.reduce((e, t) => e + o[t], 0) / e.length, s = e.length > 1 ? Wl(t, r.left, e, i) : e.map((e) => Ul(Hl(r.left, e)));
		e.forEach((e, t) => {
			o[e] = i;
			for (let r = 0; r < n; r++) c.data[r * a + e] = s[t][r];
		});
	}
	let l = Tc(wc(t), c);
	for (let e = 0; e < l.rows; e++) for (let t = 0; t < a; t++) l.data[e * a + t] /= o[t];
	return {
		s: o.map((e) => e / n),
		d: 1 / n,
		targets: o,
		left: l,
		right: c,
		groups: s
	};
}
function Hl(e, t) {
	return Array.from({ length: e.rows }, (n, r) => e.data[r * e.columns + t]);
}
function Ul(e) {
	return e.reduce((e, t) => Math.abs(t) > Math.abs(e) + 1e-9 ? t : e, 0) < 0 ? e.map((e) => -e) : e;
}
function Wl(e, t, n, r) {
	let i = n.map((e) => Hl(t, e)), a = (e, t) => e.reduce((e, n, r) => e + n * t[r], 0), o = (e, t, n) => e.map((e, r) => e - n * t[r]), s = [], c = [...Array.from({ length: e.columns }, (t, n) => Hl(e, n)), ...i.map((e) => e.map((e) => r * e))];
	for (let t of c) {
		let c = Array(e.rows).fill(0);
		for (let e of i) c = o(c, e, -a(t, e));
		for (let e = 0; e < 2; e++) for (let e of s) c = o(c, e, a(c, e));
		let l = Math.sqrt(a(c, c));
		if (!(l < .05 * r) && (s.push(Ul(c.map((e) => e / l))), s.length === n.length)) break;
	}
	return s;
}
var Gl = [
	"canary",
	"robin",
	"salmon",
	"sunfish",
	"oak",
	"pine",
	"rose",
	"daisy"
], Kl = [
	"grow",
	"move",
	"roots",
	"fly",
	"swim",
	"bark",
	"petals",
	"sing",
	"red breast",
	"pink flesh",
	"round body",
	"acorns",
	"needles",
	"thorns",
	"white rays"
], ql = (e) => jl(e, (e) => `item ${e + 1}`), Jl = [
	{
		id: "hierarchy",
		label: "Hierarchy",
		items: Gl,
		branches: jl(8, String).map((e, t) => t >> 1),
		properties: Kl,
		y: bc(Ml(3)),
		python: "fs.tasks.living_things(8).statistics.strengths"
	},
	{
		id: "partition",
		label: "Partition",
		items: jl(9, (e) => `${"abc"[Math.floor(e / 3)]}${e % 3 + 1}`),
		branches: jl(9, String).map((e, t) => Math.floor(t / 3)),
		properties: [
			"group a",
			"group b",
			"group c"
		],
		y: bc(Pl(3, 3)),
		python: "fs.tasks.partition(3, 3).statistics.strengths"
	},
	{
		id: "ring",
		label: "Ring",
		items: ql(8),
		properties: jl(8, (e) => `feature ${e + 1}`),
		y: zl(8, 8, 2),
		python: "fs.tasks.mode_strengths(\"ring\", 8, features=8, sigma=2.0)"
	},
	{
		id: "ordering",
		label: "Ordering",
		items: ql(8),
		properties: jl(8, (e) => `at least ${e + 1}`),
		y: bc(Nl(8)),
		python: "fs.tasks.ordering(8).statistics.strengths"
	},
	{
		id: "crossing",
		label: "Cross-cutting dimensions",
		items: jl(8, (e) => `${e & 4 ? "large" : "small"} ${e & 2 ? "red" : "blue"} ${e & 1 ? "disc" : "cube"}`),
		branches: jl(8, String).map((e, t) => t >> 2),
		properties: [
			"small",
			"large",
			"blue",
			"red",
			"cube",
			"disc"
		],
		y: bc(Fl([
			2,
			2,
			2
		])),
		python: "fs.tasks.dimensions((2, 2, 2)).statistics.strengths"
	},
	{
		id: "grid",
		label: "Grid",
		items: jl(9, (e) => `${"abc"[Math.floor(e / 3)]}${e % 3 + 1}`),
		branches: jl(9, String).map((e, t) => Math.floor(t / 3)),
		properties: jl(9, (e) => `feature ${e + 1}`),
		y: Bl(3, 3, 9, 2),
		python: "fs.tasks.mode_strengths(\"grid\", 3, 3, features=9, sigma=2.0)"
	},
	{
		id: "tree",
		label: "Random tree",
		items: jl(8, (e) => `${(e >> 2) + 1}.${(e >> 1 & 1) + 1}.${(e & 1) + 1}`),
		branches: jl(8, String).map((e, t) => t >> 1),
		properties: jl(8, (e) => `feature ${e + 1}`),
		y: Ll(2, 3, .1, 8),
		python: "fs.tasks.mode_strengths(\"tree\", 2, 3, flip=0.1, features=8)"
	}
], Yl = 300, Xl = [
	0,
	.15,
	.45
];
function Zl(e) {
	let { rows: t, columns: n } = e, r = $(t, n);
	for (let i = 0; i < n; i++) {
		let a = 0;
		for (let r = 0; r < t; r++) a += e.data[r * n + i] / t;
		for (let o = 0; o < t; o++) r.data[o * n + i] = e.data[o * n + i] - a;
	}
	let { values: i, vectors: a } = Pc(Dc(r, r)), o = $(t, t);
	for (let e = 0; e < t; e++) for (let n = 0; n < t; n++) o.data[e * t + n] = a.data[e * t + n] * Math.sqrt(Math.max(i[n], 0));
	return o;
}
function Ql(e) {
	let { rows: t, columns: n } = e, r = new Float64Array(t * t);
	for (let i = 0; i < t; i++) for (let a = 0; a < i; a++) {
		let o = 0;
		for (let t = 0; t < n; t++) o += (e.data[i * n + t] - e.data[a * n + t]) ** 2;
		r[i * t + a] = r[a * t + i] = Math.sqrt(o);
	}
	return r;
}
function $l(e) {
	let t = Ql(e), n = t.reduce((e, t) => e + t * t, 0), r = Zl(e);
	return Xl.map((i) => {
		let a = $(e.rows, 2);
		for (let t = 0; t < e.rows; t++) for (let e = 0; e < r.columns; e++) a.data[2 * t + e % 2] += r.data[t * r.columns + e] * (e < 2 ? 1 : i * (e % 4 < 2 ? 1 : -1));
		for (let e = 0; e < Yl; e++) a = eu(a, t);
		let o = Ql(a), s = n > 0 ? Math.sqrt(t.reduce((e, t, n) => e + (t - o[n]) ** 2, 0) / n) : 0;
		return {
			points: a,
			stress: s
		};
	}).reduce((e, t) => t.stress < e.stress - 1e-6 ? t : e);
}
function eu(e, t) {
	let n = e.rows, r = Ql(e), i = $(n, 2);
	for (let a = 0; a < n; a++) for (let o = 0; o < n; o++) {
		let s = r[a * n + o];
		if (a === o || s === 0) continue;
		let c = t[a * n + o] / s / n;
		i.data[2 * a] += c * (e.data[2 * a] - e.data[2 * o]), i.data[2 * a + 1] += c * (e.data[2 * a + 1] - e.data[2 * o + 1]);
	}
	return i;
}
function tu(e, t) {
	let { left: n, right: r } = Ic(Ec(e, t));
	return Dc(n, r);
}
function nu(e, t) {
	return Tc(e, tu(e, t));
}
var ru = /* @__PURE__ */ new Map();
function iu(e) {
	let t = ru.get(e);
	if (!t) {
		let n = Jl.find((t) => t.id === e) ?? Jl[0];
		t = {
			structure: n,
			...Vl(n)
		}, ru.set(e, t);
	}
	return t;
}
function au(e, t) {
	return {
		s: e.s[t],
		d: e.d
	};
}
function ou(e) {
	let t = iu(zo(e, "structure")), n = zo(e, "depth"), r = n === "inf" ? Infinity : Number(n), i = Z(e, "start"), a = t.groups.map(([e]) => Ts(.98 * t.targets[e], au(t, e), i, r)), o = 1.08 * Math.max(...a);
	return {
		task: t,
		depth: r,
		start: i,
		end: o,
		times: Array.from({ length: 201 }, (e, t) => o * t / 200)
	};
}
function su({ task: e, depth: t, start: n }, r) {
	return e.groups.map(([i]) => Ss(r, au(e, i), n, t));
}
function cu(e, t, n) {
	return e.groups.reduce((r, i, a) => r + .5 * e.d * i.length * (t[a][n] - e.targets[i[0]]) ** 2, 0);
}
function lu(e) {
	return e === 1 || e === Infinity ? 1 : 1 / e;
}
var uu = /* @__PURE__ */ new Map();
function du({ task: e, depth: t }) {
	let n = `${e.structure.id} ${t}`, r = uu.get(n);
	return r || (r = Ec(e.right, $l(pu(e, t)).points), uu.set(n, r)), r;
}
function fu(e, t, n) {
	let r = $(e.right.rows, e.right.columns);
	return e.groups.forEach((i, a) => {
		let o = Math.max(n[a], 0) ** lu(t);
		for (let t of i) for (let n = 0; n < r.rows; n++) r.data[n * r.columns + t] = o * e.right.data[n * r.columns + t];
	}), r;
}
function pu(e, t) {
	return fu(e, t, e.groups.map(([t]) => e.targets[t]));
}
function mu(e, t) {
	let n = du(e), { task: r, depth: i } = e, a = $(n.rows, 2);
	return r.groups.forEach((e) => {
		let t = r.targets[e[0]] ** -lu(i);
		for (let r of e) for (let e = 0; e < 2; e++) a.data[2 * r + e] = t * n.data[2 * r + e];
	}), xc(Tc(t, a));
}
//#endregion
//#region src/topics/modes_train.ts
var hu = 4e4, gu = 6e6;
function* _u(e) {
	let t = ou(e), { task: n, depth: r, start: i, end: a } = t;
	if (r === Infinity) return;
	let [o, s, c] = [
		n.right.rows,
		n.left.rows,
		n.right.columns + 2
	], l = go(7), u = vu(n, r, c, i, zo(e, "weights") === "random", l), d = new yl(u, Oc(wc(n.structure.y), 1 / o), n.d), f = Es(au(n, 0), r), p = Math.min(Math.max(.1 * f, a / hu), .5 * f, a / 600), m = Math.ceil(a / p), h = {
		times: [],
		loss: [],
		strengths: Array.from({ length: n.s.length }, () => []),
		places: [],
		answers: [],
		expected: [],
		rate: p
	}, g = (e) => {
		h.times.push(e * p), h.loss.push(d.loss), bl(d.map, n.left, n.right).forEach((e, t) => h.strengths[t].push(e)), h.answers.push(xc(wc(d.map)));
		let i = su(t, [e * p]), a = i.map(([e]) => e);
		h.expected.push(cu(n, i, 0));
		let o = lu(r) === 1 ? d.map : d.hidden(1);
		h.places.push(mu(t, nu(wc(o), fu(n, r, a))));
	}, _ = u.reduce((e, t) => e + t.rows * t.columns * (o + s) * 2, 0) + s * o * c * r * 2, v = 0, y = 0;
	for (let e = 0; e <= m; e++) (e >= y || e === m) && (g(e), y = Math.max(e + 1, Math.round(h.times.length * m / 159))), e < m && d.step(p), v += _, v > gu && (v = 0, yield { ...h });
	yield { ...h };
}
function vu(e, t, n, r, i, a) {
	let [o, s, c] = [
		e.right.rows,
		e.left.rows,
		e.right.columns
	];
	if (!i) return vl(e.right, e.left, n, t, r, a);
	if (t === 1) return [gl(s, o, r, a)];
	let l = Math.sqrt(2 * r / n);
	return t === 2 ? [gl(n, o, l, a), gl(s, n, l, a)] : vl(_l(o, c, a), _l(s, c, a), n, t, r, a);
}
//#endregion
//#region src/topics/modes.ts
function yu(e) {
	let t = e.split(" ");
	return t.length > 2 ? t.map(([e]) => e).join("") : e;
}
function bu(e, t) {
	let [n, r] = [e[0] + 1, e[e.length - 1] + 1];
	return `${n === r ? `mode ${n}` : `modes ${n}–${r}`} (s = ${Q(t)})`;
}
function xu(e, t) {
	let n = ou(e), { task: r, depth: i, start: a, end: o, times: s } = n, c = su(n, s), l = s.map((e, t) => cu(r, c, t)), u = Math.round(Z(e, "moment") * 200), d = i === Infinity ? "depth × flow time" : "flow time", f = {
		label: d,
		values: s,
		range: [0, o]
	}, p = s[u], m = r.groups.map(([e]) => Ts(.5 * r.targets[e], au(r, e), a, i)), h = au(r, 0), g = [.1, .9].map((e) => Ts(e * r.targets[0], h, a, i)), _ = r.groups.map((e, t) => ({
		label: bu(e, r.s[e[0]]),
		y: c[t],
		colour: t % 6,
		...t >= 6 ? { dash: "dash" } : {}
	})), v = [
		{
			id: "first",
			label: "strongest mode half learned",
			value: m[0],
			unit: d
		},
		{
			id: "last",
			label: "weakest mode half learned",
			value: m[m.length - 1],
			unit: d
		},
		{
			id: "rise",
			label: "its rise (10 to 90 %) over its half time",
			value: (g[1] - g[0]) / m[0]
		},
		{
			id: "loss",
			label: "loss at the moment",
			value: l[u]
		}
	], y = [{
		label: "prediction",
		y: l,
		colour: 6
	}], b, x, S;
	if (t && t.times.length > 1) {
		let e = r.groups.flatMap((e, n) => e.map((e) => ({
			label: "trained network",
			x: t.times,
			y: t.strengths[e],
			colour: n % 6,
			role: "trained",
			quiet: !0
		})));
		_.unshift(...e), y.unshift({
			label: "trained network",
			x: t.times,
			y: t.loss,
			colour: 6,
			role: "trained"
		}), S = Ro(t.times, t.expected, t.loss), v.push({
			id: "area",
			label: "area between prediction and network (∫|ΔL|/∫L)",
			value: S
		});
		let n = t.times.findIndex((e) => e >= s[u] - 1e-9 * o);
		n >= 0 && ([b, x] = [t.places[n], t.answers[n]]);
	}
	let C = Array.from({ length: 40 }, (e, t) => Math.round(u * t / 39)).map((e) => mu(n, fu(r, i, c.map((t) => t[e])))), w = r.structure.items.map((e, t) => ({
		label: yu(e),
		x: C[39][t][0],
		y: C[39][t][1],
		colour: r.structure.branches ? r.structure.branches[t] % 6 : 0,
		trail: C.map((e) => e[t])
	})), T = Math.max(...mu(n, pu(r, i)).flat().map(Math.abs)), E = [-1.25 * T, 1.25 * T], D = Tc(r.left, wc(Su(r, c, u))), ee = Math.max(...r.structure.y.data), te = (e, t, n) => ({
		kind: "heat",
		id: e,
		title: t,
		label: "answer",
		matrix: n,
		rows: r.structure.items,
		columns: r.structure.properties,
		bound: ee
	}), ne = zo(e, "weights") === "random" ? "random weights first have to turn towards the modes" : "the step of training is not small at this start";
	return {
		sentence: Cu(n, m, (g[1] - g[0]) / m[0]) + (i === Infinity ? " No network of infinitely many layers can be trained; this is the limit that deeper and deeper networks approach." : Yo(S, "The trained network", ne)),
		numbers: v,
		charts: [
			{
				kind: "lines",
				id: "strengths",
				title: "Strength of each mode",
				x: f,
				y: { label: "strength a" },
				lines: _,
				moment: p
			},
			{
				kind: "lines",
				id: "loss",
				title: "Loss",
				x: f,
				y: { label: "loss" },
				lines: y,
				moment: p
			},
			{
				kind: "scatter",
				id: "representation",
				equal: !0,
				title: `${lu(i) === 1 ? "Answers to the items" : "Items in the first hidden layer"}${b ? " (pale: the trained network)" : ""}`,
				x: {
					label: "dimension 1",
					range: E
				},
				y: {
					label: "dimension 2",
					range: E
				},
				points: [...(b ?? []).map(([e, t]) => ({
					label: "",
					x: e,
					y: t,
					colour: 6,
					ring: !0
				})), ...w]
			},
			{
				kind: "heat",
				id: "vectors",
				title: "Which items a mode tells apart (v)",
				label: "entry of v",
				tall: !0,
				matrix: xc(wc(r.right)),
				rows: r.groups.flatMap((e) => e.map((e) => `mode ${e + 1}`)),
				columns: r.structure.items
			},
			te("answers", "Predicted answers at the moment", xc(wc(D))),
			x ? te("network_answers", "The trained network's answers", x) : te("targets", "What it is to answer", xc(r.structure.y))
		]
	};
}
function Su(e, t, n) {
	let r = $(e.right.rows, e.right.columns);
	return e.groups.forEach((i, a) => {
		for (let o of i) for (let i = 0; i < r.rows; i++) r.data[i * r.columns + o] = t[a][n] * e.right.data[i * r.columns + o];
	}), r;
}
function Cu({ task: e, depth: t, start: n }, r, i) {
	let [a, o] = [r[0], r[r.length - 1]];
	if (t === 1) return `One layer learns all modes at once: each closes its gap at the same rate d = ${Q(e.d)}, however strong it is, and is half learned at t ≈ ${Q(a)}; there are no stages.`;
	let s = t === Infinity ? "Infinitely many layers" : `${{
		2: "Two",
		3: "Three",
		4: "Four",
		6: "Six"
	}[t] ?? t} layers`, c = i < .5 ? "suddenly, after a long wait" : i < 1.2 ? "in a sigmoid" : "gradually, because it starts large";
	return e.groups.length === 1 ? `${s} learn all modes together from strength ${Q(n)}, because they are equally strong: each is half learned at ${Q(a)} and rises ${c}.` : `${s} learn one mode after another from strength ${Q(n)}: the strongest is half learned at ${Q(a)}, the weakest at ${Q(o)}, ${Q(o / a)} times later; each rises ${c}.`;
}
function wu(e) {
	let { task: t, depth: n } = ou(e), { items: r, properties: i, branches: a } = t.structure, o = new Ho(9), s = (e) => ({ colour: a ? a[e] % 6 : 0 }), c = n === Infinity ? 4 : n, l = o.column(6, r.map(yu), "items", (e) => ({
		...s(e),
		side: "left"
	}));
	for (let e = 1; e < c; e++) {
		let t = o.column(6 + 9 * e / c, Uo(5), n === Infinity && e === 2 ? "…" : c === 2 ? "hidden units" : "");
		o.join(l, t, (t) => e === 1 ? {
			...s(t),
			weight: .7
		} : { weight: .7 }), l = t;
	}
	let u = o.column(15, Uo(Math.min(i.length, 9)), "properties");
	o.join(l, u, (e) => c === 1 ? {
		...s(e),
		weight: .7
	} : { weight: .7 });
	let d = n === Infinity ? "infinitely many layers" : n === 1 ? "one layer" : `${{
		2: "two",
		3: "three",
		4: "four",
		6: "six"
	}[n] ?? n} layers`;
	return o.done(`A linear network of ${d} of weights learns which of ${i.length} properties each of ${r.length} items has.${a ? " Items of one branch share a colour." : ""}`);
}
var Tu = {
	id: "modes",
	title: "Modes",
	question: "In which order does a deep linear network learn what there is to learn?",
	paper: {
		text: "Saxe, McClelland & Ganguli 2014, Exact solutions to the nonlinear dynamics of learning in deep linear neural networks",
		href: "https://arxiv.org/abs/1312.6120"
	},
	terms: [
		"mode",
		"strength",
		"singular",
		"loss",
		"flow",
		"area"
	],
	theory: {
		text: "The correlation of items with properties is a sum of modes, Σyx = U S Vᵀ. From small weights that are equally strong in every layer each mode grows by itself, and the strong ones first: broad distinctions before fine ones. One layer has no such stages; more layers wait longer and then rise more suddenly. The map shows where items are once all is learned, with distances kept as well as a plane can; each mode moves them along a straight line of it. The structures are those of Saxe, McClelland & Ganguli 2019.",
		equations: [
			"frac{d u}{d t} = D u^{2−2/D} (s − d u),  L = frac{1}{2} Σ d (u − frac{s}{d})^{2}",
			"D = 1:  u(t) = frac{s}{d} (1 − e^{−d t}) + u_{0} e^{−d t}",
			"D = 2:  u(t) = frac{s / d}{1 − (1 − frac{s}{d u_{0}}) e^{−2 s t}}",
			"D → ∞,  T = D t:  u(T) = frac{s / d}{1 + W_{0}( z_{0} e^{z_{0} − s^{2} T / d} )},  z_{0} = frac{s}{d u_{0}} − 1"
		]
	},
	controls: [
		{
			kind: "choice",
			id: "structure",
			label: "Structure",
			value: "hierarchy",
			options: Jl.map(({ id: e, label: t }) => ({
				value: e,
				label: t
			})),
			help: "What the items have in common."
		},
		{
			kind: "choice",
			id: "depth",
			label: "Layers",
			value: "2",
			help: "Number of weight layers D.",
			options: [...[
				"1",
				"2",
				"3",
				"4",
				"6"
			].map((e) => ({
				value: e,
				label: e
			})), {
				value: "inf",
				label: "∞"
			}]
		},
		{
			kind: "slider",
			id: "start",
			label: "Initial strength u₀",
			min: 1e-5,
			max: .2,
			step: .05,
			value: .001,
			log: !0,
			help: "Strength of every mode at time 0: the product over all layers."
		},
		Vo((e) => `${Math.round(100 * e)} %`),
		{
			kind: "choice",
			id: "weights",
			label: "Trained network starts",
			value: "aligned",
			help: "The prediction assumes a start on the modes; from random weights of the same size deep networks come later.",
			options: [{
				value: "aligned",
				label: "on the modes"
			}, {
				value: "random",
				label: "at random"
			}]
		}
	],
	schematic: wu,
	ask: {
		prompt: "The network is to learn the properties of eight living things. When will it know that a canary is not a fish?",
		options: [
			"Before it can tell animals from plants",
			"After it can tell animals from plants, before it can tell a canary from a robin",
			"Last of all, because a canary and a fish are both animals"
		],
		right: (e) => {
			let { task: t, start: n, depth: r } = ou(e), [, i, a, o] = t.groups.map(([e]) => Ts(.5 * t.targets[e], au(t, e), n, r));
			return a < i ? 0 : a < (o ?? Infinity) ? 1 : 2;
		},
		because: "Broad distinctions are shared by more items, so their modes are stronger and are learned earlier."
	},
	view: xu,
	live: {
		label: "Train a linear network",
		impossible: (e) => zo(e, "depth") === "inf" ? "No network of infinitely many layers can be trained." : void 0,
		key: (e) => [
			"structure",
			"depth",
			"start",
			"weights"
		].map((t) => e[t]).join(" "),
		run: _u
	},
	python: (e) => {
		let { task: t, depth: n, start: r, times: i } = ou(e), a = Math.round(Z(e, "moment") * 200);
		return [
			"import math",
			"",
			"import festina as fs",
			"",
			`s = ${t.structure.python}`,
			`d, depth, start = 1 / ${t.structure.items.length}, ${n === Infinity ? "math.inf" : n}, ${r}`,
			"reach = lambda share, s: fs.linear.time_to_strength(share * s / d, s, d, start, depth)",
			"half = reach(0.5, s)",
			`now = fs.linear.strength(${qo(i[a])}, s, d, start, depth)`,
			"numbers = {",
			"    \"first\": float(half[0]),",
			"    \"last\": float(half[-1]),",
			"    \"rise\": float((reach(0.9, s[0]) - reach(0.1, s[0])) / half[0]),",
			"    \"loss\": float(0.5 * d * sum((now - s / d) ** 2)),",
			"}"
		].join("\n");
	}
};
//#endregion
//#region src/theory/points.ts
function Eu({ rateH: e, rateY: t, dx: n, y: r, h: i }) {
	return i - e / t * n * r / i;
}
function Du({ rateH: e, rateY: t, dx: n, dy: r }) {
	return Math.sqrt(e / t * n * r);
}
function Ou(e, t) {
	let n = .5 * Math.abs(e) + .5 * Math.hypot(e, 2 * t);
	return e >= 0 ? n : t / (n > 0 ? n : 1) * t;
}
function ku(e) {
	let [t, n] = [Eu(e), Du(e)], r = Math.hypot(t, 2 * n), i = Ou(t, n), a = Ou(-t, n);
	return [{
		h: 0,
		eigenvalues: [e.rateY * i, -e.rateY * a]
	}, {
		h: i,
		eigenvalues: [-e.rateY * r / 2, -e.rateY * i]
	}];
}
function Au(e, t) {
	return e === 0 ? t : Math.expm1(e * t) / e;
}
function ju(e, t) {
	let { dx: n, dy: r, rateH: i, rateY: a, h: o, y: s, w: c } = e, l = Math.sqrt(n * i * a) / 2, u = Math.sqrt(2 * o / (n * i)), d = Math.sqrt(2 * s / (o * a)), f = s * r > 0 ? Math.min(1, Math.max(-1, (s - c) / Math.sqrt(s * r))) : 0, p = d * f, m = d * Math.sqrt((1 - f) * (1 + f)), h = -a * Eu(e) / 4, g = l * Math.sqrt(r), _ = Math.hypot(h, g), [v, y] = h >= 0 ? [g, _ + h] : [_ - h, g], b = Math.hypot(v, y), [x, S] = b > 0 ? [v / b, y / b] : [1, 0], C = x * u + S * p, w = S * u - x * p, T = h <= 0 ? _ - h : _ > 0 ? g ** 2 / (_ + h) : 0, E = {
		h: [],
		y: [],
		w: [],
		error: []
	}, D = Math.sqrt(r);
	for (let e of t) {
		let t = Math.min(e, 1e300), r = Math.exp(-2 * _ * t), a = Au(-2 * _, t), o = h <= 0 ? r * Au(2 * h, t) : Math.exp(-2 * T * t) * Au(-2 * h, t), s = r + l ** 2 * (C ** 2 * a + w ** 2 * r * a + m ** 2 * o), c = Math.sqrt(s), u = (e) => s > 0 ? e / c : 0, d = u(x * C + S * w * r), f = l * d * u(S * C - x * w * r), p = l * d * u(m * Math.exp(-T * t));
		E.h.push(n * i / 2 * d ** 2), E.y.push(f ** 2 + p ** 2), E.w.push(f * (f - D) + p ** 2), E.error.push((f - D) ** 2 + p ** 2);
	}
	return E;
}
function Mu(e) {
	return {
		...e,
		dy: 0,
		w: e.y
	};
}
function Nu(e, t) {
	let n = (t) => ju(e, [t]).error[0], [r, i] = [n(0), n(Infinity)], a = r + t * (i - r);
	if (!(r > i)) return 0;
	let o = (e) => n(e) <= a, s = 1 / (e.rateY + e.rateH);
	for (let e = 0; e < 200 && !o(s); e++) s *= 2;
	let c = 0;
	for (let e = 0; e < 100 && s - c > 1e-14 * s; e++) {
		let e = .5 * (s + c);
		o(e) ? s = e : c = e;
	}
	return s;
}
//#endregion
//#region src/learn/pair.ts
var Pu = [
	4,
	32,
	32,
	32,
	3
], Fu = 2, Iu = .2, Lu = class {
	weights;
	activity;
	slopes;
	targets;
	constructor(e, t) {
		let n = go(t);
		this.weights = Pu.slice(1).map((e, t) => gl(e, Pu[t], 1 / Math.sqrt(Pu[t]), n)), this.activity = Pu.map((e) => $(e, 2)), this.slopes = Pu.map((e) => $(e, 2));
		let r = Bu(Ru(Pu[0], n)), i = Bu(Vu(Ru(Pu[0], n), r));
		r.forEach((t, n) => {
			this.activity[0].data[2 * n] = i[n] - t * e.dx / 2, this.activity[0].data[2 * n + 1] = i[n] + t * e.dx / 2;
		});
		let a = this.weights.length;
		this.forward(), this.rescale(0, Fu, e.encoder * e.dx / zu(this.difference(Fu))), this.rescale(Fu, a, e.decoder * e.encoder * e.dx / zu(this.difference(a)));
		let o = Bu(this.difference(a)), s = Bu(Vu(Ru(o.length, n), o)), c = Math.sqrt(1 - e.cosine ** 2);
		this.targets = $(o.length, 2), o.forEach((t, n) => {
			let r = e.dy * (e.cosine * t + c * s[n]) / 2, i = .5 * (this.activity[a].data[2 * n] + this.activity[a].data[2 * n + 1]);
			this.targets.data[2 * n] = i - r, this.targets.data[2 * n + 1] = i + r;
		});
	}
	rescale(e, t, n) {
		let r = n ** (1 / (t - e));
		for (let n = e; n < t; n++) this.weights[n].data.forEach((e, t, n) => n[t] = r * e);
		this.forward();
	}
	forward() {
		let e = this.weights.length;
		for (let t = 0; t < e; t++) {
			let { data: n } = Tc(this.weights[t], this.activity[t], this.activity[t + 1]), r = this.slopes[t + 1].data;
			for (let i = 0; i < n.length; i++) r[i] = t === e - 1 || n[i] > 0 ? 1 : Iu, n[i] *= r[i];
		}
	}
	difference(e) {
		let { data: t, rows: n } = this.activity[e];
		return Array.from({ length: n }, (e, n) => t[2 * n + 1] - t[2 * n]);
	}
	get state() {
		let [e, t] = [this.difference(Fu), this.difference(this.weights.length)], n = t.reduce((e, t) => e + t * t, 0), r = n - t.reduce((e, t, n) => e + t * (this.targets.data[2 * n + 1] - this.targets.data[2 * n]), 0);
		return {
			h: e.reduce((e, t) => e + t * t, 0),
			y: n,
			w: r
		};
	}
	get loss() {
		return this.activity[this.weights.length].data.reduce((e, t, n) => e + (t - this.targets.data[n]) ** 2, 0) / 4;
	}
	descent() {
		let e = this.weights.length, t = $(Pu[e], 2);
		t.data.forEach((n, r) => t.data[r] = (this.targets.data[r] - this.activity[e].data[r]) / 2);
		let n = [];
		for (let r = e - 1; r >= 0; r--) n.unshift(Dc(t, this.activity[r])), t = Ec(this.weights[r], t), t.data.forEach((e, n) => t.data[n] = e * this.slopes[r].data[n]);
		return n;
	}
	step(e) {
		this.descent().forEach((t, n) => {
			let { data: r } = this.weights[n];
			for (let n = 0; n < r.length; n++) r[n] += e * t.data[n];
		}), this.forward();
	}
};
function Ru(e, t) {
	return Array.from({ length: e }, t);
}
function zu(e) {
	return Math.hypot(...e);
}
function Bu(e) {
	let t = zu(e);
	return e.map((e) => e / t);
}
function Vu(e, t) {
	let n = e.reduce((e, n, r) => e + n * t[r], 0);
	return e.map((e, r) => e - n * t[r]);
}
//#endregion
//#region src/theory/fit.ts
var Hu = Array.from({ length: 33 }, (e, t) => -2 + t / 8), Uu = [
	-.5,
	0,
	.5
], Wu = 100, Gu = Math.log(1e8), Ku = 60;
function qu(e, t, n) {
	let { times: r, h: i, y: a, w: o } = e, s = r.map((e, t) => .5 * ((r[t + 1] ?? e) - (r[t - 1] ?? e))), c = r.map((e) => e - r[0]), l = (e) => ({
		dx: t,
		dy: n,
		rateH: Math.exp(e[0]),
		rateY: Math.exp(e[1]),
		h: i[0],
		y: a[0],
		w: o[0]
	}), u = r.map((e, t) => t), d = (e, t) => {
		let n = ju(l(e), t.map((e) => c[e])), r = new Float64Array(3 * t.length);
		return t.forEach((e, t) => {
			let c = Math.sqrt(s[e]);
			r[3 * t] = (n.h[t] - i[e]) * c, r[3 * t + 1] = (n.y[t] - a[e]) * c, r[3 * t + 2] = (n.w[t] - o[e]) * c;
		}), r;
	}, f = (e) => e.reduce((e, t) => e + t * t, 0), p = u.length <= Wu ? u : Array.from({ length: Wu }, (e, t) => Math.round(t * (u.length - 1) / 99)), [m, h] = Ju(e, t), g = [m, h], _ = Infinity;
	for (let e of Hu) for (let t of Uu) {
		let n = [m + Math.LN10 * e, h + Math.LN10 * (e + t)], r = f(d(n, p));
		r < _ && ([g, _] = [n, r]);
	}
	g = Yu((e) => d(e, u), g);
	let v = u.reduce((e, t) => e + s[t] * (i[t] ** 2 + a[t] ** 2 + o[t] ** 2), 0);
	return {
		pair: l(g),
		error: Math.sqrt(f(d(g, u)) / v)
	};
}
function Ju({ times: e, h: t, y: n, w: r }, i) {
	let [a, o, s, c, l] = [
		0,
		0,
		0,
		0,
		0
	];
	e.forEach((u, d) => {
		d > 0 && (a += .5 * (r[d] + r[d - 1]) * (u - e[d - 1])), o += -i * a * (t[d] - t[0]), s += (i * a) ** 2;
		let f = t[d] * (t[d] - t[0]) / i;
		c += f * (n[d] - n[0] / t[0] * t[d]), l += f ** 2;
	});
	let u = (e, t, n) => e / t > 0 && Number.isFinite(e / t) ? e / t : n, d = u(o, s, 1 / (e[e.length - 1] - e[0]));
	return [Math.log(d), Math.log(d * u(c, l, 1))];
}
function Yu(e, t) {
	let n = [...t], r = e(n), i = r.reduce((e, t) => e + t * t, 0), a = .001;
	for (let o = 0; o < Ku; o++) {
		let o = [0, 1].map((t) => {
			let r = 1e-5, [i, a] = [r, -1e-5].map((r) => e(t === 0 ? [n[0] + r, n[1]] : [n[0], n[1] + r]));
			return i.map((e, t) => (e - a[t]) / (2 * r));
		}), s = (e, t) => e.reduce((e, n, r) => e + n * t[r], 0), [c, l, u] = [
			s(o[0], o[0]),
			s(o[0], o[1]),
			s(o[1], o[1])
		], [d, f] = [s(o[0], r), s(o[1], r)], p = !1;
		for (; !p && a < 0xe8d4a51000;) {
			let [o, s] = [c * (1 + a), u * (1 + a)], m = o * s - l * l;
			if (!(m > 0)) return n;
			let h = [(l * f - s * d) / m, (l * d - o * f) / m], g = (e) => Math.max(t[e] - Gu, Math.min(t[e] + Gu, n[e] + Math.max(-1, Math.min(1, h[e])))), _ = [g(0), g(1)], v = e(_), y = v.reduce((e, t) => e + t * t, 0);
			if (p = y <= i, p) {
				let e = Math.hypot(...h) < 1e-11 || i - y <= 1e-15 * i;
				if ([n, r, i, a] = [
					_,
					v,
					y,
					a / 10
				], e) return n;
			} else a *= 10;
		}
		if (!p) return n;
	}
	return n;
}
//#endregion
//#region src/topics/points_train.ts
var Xu = 320, Zu = 6e4, Qu = 200, $u = 1e-4;
function* ed(e) {
	let t = {
		dx: Z(e, "dx"),
		dy: Z(e, "dy"),
		cosine: Z(e, "cosine"),
		encoder: Z(e, "encoder"),
		decoder: Z(e, "decoder")
	};
	for (let e = .1; e > 1e-12; e /= 3) if (yield* td(t, e / 4)) return;
}
function* td(e, t) {
	let n = new Lu(e, 1), r = n.loss, i = {
		times: [],
		h: [],
		y: [],
		w: []
	}, a = () => ({
		...i,
		rate: t,
		fit: qu(i, e.dx ** 2, e.dy ** 2)
	}), [o, s] = [1, Zu];
	for (let e = 0; e <= s; e++) {
		if (e % o === 0) {
			let { h: r, y: a, w: s } = n.state;
			if (i.times.push(e * t), i.h.push(r), i.y.push(a), i.w.push(s), i.times.length > Xu) {
				let e = (e) => e.filter((e, t) => t % 2 == 0);
				i = {
					times: e(i.times),
					h: e(i.h),
					y: e(i.y),
					w: e(i.w)
				}, o *= 2;
			}
		}
		n.step(t);
		let { loss: c } = n;
		if (!(c <= 1.5 * r) && c > 1e-12) return !1;
		c <= $u * r && s === Zu && (s = Math.min(Zu, Math.ceil(1.33 * e) + 4)), (e + 1) % Qu === 0 && (yield a());
	}
	return yield a(), !0;
}
//#endregion
//#region src/topics/points.ts
var nd = 241, rd = Array.from({ length: 73 }, (e, t) => 10 ** (-2 + t / 24));
function id(e, t = Z(e, "encoder"), n = Z(e, "decoder")) {
	let r = Z(e, "dx") ** 2, i = Z(e, "dy") ** 2, a = t ** 2 * r, o = n ** 2 * a;
	return {
		dx: r,
		dy: i,
		rateH: Z(e, "rate_h"),
		rateY: Z(e, "rate_y"),
		h: a,
		y: o,
		w: o - Z(e, "cosine") * Math.sqrt(o * i)
	};
}
function ad(e) {
	return Ou(Eu(e), Du(e));
}
function od(e, t) {
	let n = id(e), [r, i] = ku(n), [a, o] = [Eu(n), Du(n)], [s, c] = [Nu(n, .1), Nu(n, .9)], l = c > 0 ? s / c : 0, u = Math.min(...i.eigenvalues.map(Math.abs)), d = Math.min(Math.max(1.6 * c, c + 4 / u), 4 * c) || 1, f = Array.from({ length: nd }, (e, t) => d * t / 240), p = ju(n, f), m = ju(Mu(n), f), h = {
		label: "time (in the unit of τ)",
		values: f,
		range: [0, d]
	}, g = [{
		axis: "x",
		at: s,
		label: "10 %"
	}, {
		axis: "x",
		at: c,
		label: "90 %"
	}], _ = Math.min(...p.h), v = Math.round(Z(e, "moment") * 240), y = f[v], b = _ < .1 * Math.min(n.h, i.h), x = [{
		label: "h",
		y: p.h,
		colour: 0
	}, {
		label: "h if targets were equal",
		y: m.h,
		colour: 0,
		role: "reference",
		dash: "dash"
	}];
	return {
		sentence: ud(n, i.h, l, b) + ld(t),
		numbers: [
			{
				id: "final",
				label: "final distance h∞",
				value: i.h
			},
			{
				id: "low",
				label: "A low: what the task asks for",
				value: o
			},
			{
				id: "high",
				label: "A high: what the start leaves",
				value: a
			},
			{
				id: "escape",
				label: "growth rate away from h = 0",
				value: r.eigenvalues[0],
				unit: "1/time"
			},
			{
				id: "settle",
				label: "slowest rate at the end",
				value: u,
				unit: "1/time"
			},
			{
				id: "wait",
				label: "plateau: time to 10 % over time to 90 % learned",
				value: l
			},
			...t ? sd(t) : []
		],
		charts: [
			{
				kind: "lines",
				id: "h",
				title: "Distance of the two representations",
				x: h,
				y: { label: "h = ‖h₂ − h₁‖²" },
				lines: x,
				moment: y,
				marks: [{
					axis: "y",
					at: i.h,
					label: "h∞",
					side: "left"
				}]
			},
			{
				kind: "lines",
				id: "outputs",
				title: "Distance of the two outputs",
				x: h,
				y: { label: "squared distance" },
				lines: [{
					label: "y = ‖ŷ₂ − ŷ₁‖²",
					y: p.y,
					colour: 2
				}, {
					label: "w = y − (ŷ₂ − ŷ₁)·(y₂ − y₁)",
					y: p.w,
					colour: 3,
					dash: "dash"
				}],
				moment: y,
				marks: [{
					axis: "y",
					at: n.dy,
					label: "target",
					side: "left"
				}]
			},
			...t ? cd(t) : [],
			{
				kind: "lines",
				id: "error",
				title: "Error of the difference, and its plateau",
				x: h,
				y: { label: "squared error" },
				lines: [{
					label: "2w − y + ‖y₂ − y₁‖²",
					y: p.error,
					colour: 1
				}],
				marks: g,
				moment: y
			},
			{
				kind: "scatter",
				id: "phase",
				title: "From the start past the saddle to the end",
				x: { label: "h" },
				y: { label: "w" },
				points: [
					{
						label: "",
						x: p.h[v],
						y: p.w[v],
						colour: 0,
						trail: p.h.slice(0, v + 1).map((e, t) => [e, p.w[t]])
					},
					{
						label: "end",
						x: i.h,
						y: 0,
						colour: 2
					},
					{
						label: "saddle",
						x: r.h,
						y: 0,
						colour: 6
					},
					{
						label: "start",
						x: n.h,
						y: n.w,
						colour: 1
					}
				]
			},
			{
				kind: "lines",
				id: "gains",
				title: "Final distance from other starts",
				wide: !0,
				x: {
					label: "gain",
					values: rd,
					log: !0,
					range: [.01, 10]
				},
				y: {
					label: "h∞ = final ‖h₂ − h₁‖²",
					log: !0
				},
				lines: [
					{
						label: "other encoder gains",
						y: rd.map((t) => ad(id(e, t))),
						colour: 0
					},
					{
						label: "other decoder gains",
						y: rd.map((t) => ad(id(e, void 0, t))),
						colour: 1,
						dash: "dashdot"
					},
					...o > 0 ? [{
						label: "A low, what the task asks for",
						y: rd.map(() => o),
						colour: 2,
						role: "reference",
						dash: "dash"
					}] : []
				],
				marks: [{
					axis: "x",
					at: Z(e, "encoder"),
					label: "encoder",
					colour: 0
				}, {
					axis: "x",
					at: Z(e, "decoder"),
					label: "decoder",
					colour: 1
				}]
			}
		]
	};
}
function sd({ fit: e, h: t }) {
	return [
		{
			id: "fit_error",
			label: "theory with fitted rates against network",
			value: e.error
		},
		{
			id: "fit_h",
			label: "network's 1/τh",
			value: e.pair.rateH,
			unit: "1/time"
		},
		{
			id: "fit_y",
			label: "network's 1/τy",
			value: e.pair.rateY,
			unit: "1/time"
		},
		{
			id: "fit_final",
			label: "h∞ at these rates",
			value: ad(e.pair)
		},
		{
			id: "network_final",
			label: "network's h now",
			value: t[t.length - 1]
		}
	];
}
function cd(e) {
	let { times: t, fit: n } = e, r = ju(n.pair, t), i = {
		label: "flow time of the network",
		values: t
	}, a = (t, n) => [{
		label: `${t}, trained network`,
		y: e[t],
		colour: n,
		role: "trained"
	}, {
		label: `${t}, theory with fitted rates`,
		y: r[t],
		colour: n
	}];
	return [{
		kind: "lines",
		id: "network_h",
		title: "A leaky-ReLU network from this start",
		x: i,
		y: { label: "h = ‖h₂ − h₁‖²" },
		lines: a("h", 0)
	}, {
		kind: "lines",
		id: "network_y",
		title: "Its outputs",
		x: i,
		y: { label: "squared distance" },
		lines: [...a("y", 2), ...a("w", 3).map((e, t) => t ? {
			...e,
			dash: "dash"
		} : e)]
	}];
}
function ld(e) {
	if (!e) return " The comparison with a trained network follows when one has been trained.";
	let { error: t } = e.fit, n = Ko(t);
	return t <= .05 ? ` With its two rates fitted, the theory follows the trained network to ${n} of the curves' size.` : ` With its two rates fitted, the theory still misses the trained network by ${n} of the curves' size, which is seen in the charts below: the theory takes encoder and decoder for linear maps with constant rates, and in a network of this size the rates change while it learns.`;
}
function ud(e, t, n, r) {
	let i = Du(e);
	return `${e.dy === 0 ? t > 0 ? `The targets are equal, and yet the representations stay ${Q(t)} apart: what the start leaves, because the decoder learns to ignore their difference` : "The targets are equal and the representations merge: the encoder learns to drop their difference" : Math.abs(t / i - 1) < .1 ? `The distance ends at ${Q(t)}, set by inputs and targets alone (which ask for ${Q(i)}): the rich regime` : t > i ? `The distance ends at ${Q(t)}, above the ${Q(i)} that inputs and targets ask for: large encoder weights are kept, the lazy regime` : `The distance ends at ${Q(t)}, below the ${Q(i)} that inputs and targets ask for: a strong decoder needs little difference`}; the error falls ${n > .5 ? "after a long plateau, because it starts near the saddle h = 0" : n > .2 ? "after a short plateau" : "without a plateau"}${r ? ", and on the way the two points nearly merge" : ""}.`;
}
function dd(e) {
	let [t, n] = [Z(e, "dx"), Z(e, "dy")], r = new Ho(7), i = (e) => .7 + Math.min(e, 3) * .8, a = (e, t, n) => n.map((n, i) => r.node({
		x: e,
		y: 3.5 + (i ? t : -t),
		shape: "square",
		colour: i,
		label: n,
		side: e < 5 ? "left" : "right"
	})), [o, s] = [a(3, i(t), ["x₁", "x₂"]), a(17, i(n), ["y₁", "y₂"])], c = i(Math.sqrt(t * n)), l = a(10, c, ["", ""]);
	return r.word(10, 3.5 - c - .95, "h₁"), r.word(10, 3.5 + c + .95, "h₂"), [0, 1].forEach((e) => {
		r.join([o[e]], [l[e]], () => ({
			colour: e,
			weight: 1.6
		})), r.join([l[e]], [s[e]], () => ({
			colour: e,
			weight: 1.6
		}));
	}), r.word(6.5, 3.5, "encoder"), r.word(13.7, 3.5, "decoder"), r.word(3, 8, "inputs"), r.word(10, 8, "representations"), r.word(17, 8, "targets"), r.done("Two inputs pass through an encoder and a decoder; the distances of inputs and targets are given, that of the representations is learned.");
}
var fd = {
	id: "two_points",
	title: "Two points",
	question: "How far apart will a network represent two inputs that it learns together?",
	paper: {
		text: "van Rossem & Saxe 2024, When representations align: universality in representation learning dynamics",
		href: "https://arxiv.org/abs/2402.09142"
	},
	terms: [
		"representation",
		"encoder",
		"saddle",
		"rich",
		"flow"
	],
	theory: {
		text: "Whatever the architecture, if encoder and decoder are flexible enough to act as linear maps on two nearby points, three numbers follow closed equations: the squared distances of the representations (h) and of the outputs (y), and w, which compares outputs with targets. They are solved here in closed form. h = 0 is a saddle: small weights wait near it, which is the plateau. The end is fixed by A low, which knows inputs and targets only, and by A high, what is left of the start. The network beside it (4–32–32–32–3, leaky ReLU, representation in the middle) starts with the same gains, distances and cosine; its two rates are not known beforehand and are fitted to its curves.",
		equations: [
			"frac{d h}{d t} = −frac{1}{τ_{h}} dx w",
			"frac{d y}{d t} = −w ( frac{h}{τ_{y}} + frac{1}{τ_{h}} frac{dx y}{h} )",
			"frac{d w}{d t} = −frac{1}{2 τ_{y}} (3 w − y + dy) h − frac{1}{2 τ_{h}} dx frac{(y + w) w}{h}",
			"h_{∞} = frac{1}{2} A_{high} + sqrt{frac{1}{4} A_{high}^{2} + A_{low}^{2}}",
			"A_{high} = h_{0} − frac{τ_{y}}{τ_{h}} frac{dx y_{0}}{h_{0}},  A_{low}^{2} = frac{τ_{y}}{τ_{h}} dx dy"
		]
	},
	controls: [
		{
			kind: "slider",
			id: "encoder",
			label: "Encoder gain",
			min: .01,
			max: 10,
			step: .05,
			value: .1,
			log: !0,
			help: "‖h₂ − h₁‖ over ‖x₂ − x₁‖ at time 0."
		},
		{
			kind: "slider",
			id: "decoder",
			label: "Decoder gain",
			min: .01,
			max: 10,
			step: .05,
			value: .1,
			log: !0,
			help: "‖ŷ₂ − ŷ₁‖ over ‖h₂ − h₁‖ at time 0."
		},
		{
			kind: "slider",
			id: "cosine",
			label: "Initial cosine",
			min: -1,
			max: 1,
			step: .05,
			value: 0,
			help: "Cosine between the outputs' and the targets' difference at time 0; below 0 the points must first merge."
		},
		{
			kind: "slider",
			id: "dx",
			label: "Distance of inputs",
			min: .1,
			max: 3,
			step: .05,
			value: .5,
			help: "‖x₂ − x₁‖."
		},
		{
			kind: "slider",
			id: "dy",
			label: "Distance of targets",
			min: 0,
			max: 3,
			step: .05,
			value: 1,
			help: "‖y₂ − y₁‖."
		},
		{
			kind: "slider",
			id: "rate_h",
			label: "Encoder rate 1/τh",
			min: .05,
			max: 5,
			step: .05,
			value: .5,
			log: !0,
			help: "Effective learning rate of the encoder."
		},
		{
			kind: "slider",
			id: "rate_y",
			label: "Decoder rate 1/τy",
			min: .05,
			max: 5,
			step: .05,
			value: .5,
			log: !0,
			help: "Effective learning rate of the decoder."
		},
		Vo((e) => `${Math.round(100 * e)} %`)
	],
	schematic: dd,
	ask: {
		prompt: "A network with small weights learns different targets for two inputs. What decides how far apart it will represent them in the end?",
		options: ["Where its weights happened to start", "The distances of inputs and targets alone"],
		right: (e) => {
			let t = id(e);
			return +(Math.abs(ad(t) / Du(t) - 1) < .1);
		},
		because: "From small weights every network passes close to the same saddle, at which it has forgotten its start."
	},
	view: od,
	live: {
		label: "Train a leaky-ReLU network",
		key: (e) => [
			"encoder",
			"decoder",
			"cosine",
			"dx",
			"dy"
		].map((t) => e[t]).join(" "),
		run: ed
	},
	python: (e) => {
		let { rateH: t, rateY: n } = id(e), r = (t) => qo(Z(e, t));
		return [
			"import scipy",
			"",
			"import festina as fs",
			"",
			`dx, dy = ${r("dx")} ** 2, ${r("dy")} ** 2`,
			`h = ${r("encoder")} ** 2 * dx`,
			`y = ${r("decoder")} ** 2 * h`,
			`w = y - ${r("cosine")} * (y * dy) ** 0.5`,
			`pair = fs.representation.TwoPoint(dx=dx, dy=dy, rates=(${t}, ${n}), start=(h, y, w))`,
			"saddle, end = pair.fixed_points",
			"",
			"",
			"def error(t):",
			"    state = pair.solve(t)",
			"    return float(2 * state.w - state.y + pair.dy)",
			"",
			"",
			"def lose(share):",
			"    goal, latest = error(0.0) + share * (error(float('inf')) - error(0.0)), 1.0",
			"    while error(latest) > goal:",
			"        latest *= 2",
			"    return scipy.optimize.brentq(lambda t: error(t) - goal, 0.0, latest, xtol=1e-14)",
			"",
			"",
			"numbers = {",
			"    \"final\": pair.final_distance,",
			"    \"low\": pair.low,",
			"    \"high\": pair.high,",
			"    \"escape\": saddle.eigenvalues[0],",
			"    \"settle\": min(map(abs, end.eigenvalues)),",
			"    \"wait\": lose(0.9) and lose(0.1) / lose(0.9),",
			"}"
		].join("\n");
	}
}, pd = Math.sqrt(2 / 3);
function md(e) {
	return {
		name: "linear",
		pathways: 2,
		s: e / 2,
		d: e * e / 2
	};
}
function hd(e) {
	let t = 2 + e * e;
	return {
		name: "xor",
		pathways: 4,
		s: Math.sqrt(t) / 4,
		d: t / 4
	};
}
function gd(e, t, n, r) {
	return r === 0 ? 0 : r / (r * (t > 0 ? -Math.expm1(-2 * t * e) * n / t : 2 * n * e) + Math.exp(-2 * t * e));
}
function _d(e, t) {
	return e > 0 ? Math.log1p(t * e) / e : t;
}
function vd(e, t, n) {
	return Math.floor(t / e.pathways) * n * n / 2;
}
function yd(e, t, n, r) {
	let { pathways: i, s: a, d: o } = e;
	if (a === 0) return .5;
	let s = gd(t * _d(a, n), a, o, r);
	return .5 - i * a * s + .5 * i * o * s * s;
}
function bd(e, t, n, r) {
	let { s: i, d: a } = e;
	if (i === 0 || r === 0) return Infinity;
	let o = 1 - Math.sqrt(2 * t), s = r * a / i;
	return s >= o ? 0 : Math.log(o * (1 - s) / (s * (1 - o))) / (2 * i) / _d(i, n);
}
//#endregion
//#region src/topics/race.ts
var xd = .2, Sd = 5, Cd = Array.from({ length: 13 }, (e, t) => t / 4), wd = 3, Td = 3, Ed = 1e-6, Dd = 1.3, Od = 3, kd = 1e5, Ad = .8, jd = .1;
function Md(e) {
	let [t, n, r] = [
		Z(e, "delta"),
		Z(e, "units"),
		Z(e, "rate")
	], i = Z(e, "scale") / Math.sqrt(n), a = [md(t), hd(t)].map((e) => bd(e, xd, r, vd(e, n, i))), o = Math.max(10, Math.ceil(Math.min(Dd * Math.max(...a), Od * Math.min(...a))));
	return {
		delta: t,
		units: n,
		rate: r,
		std: i,
		last: o,
		every: Math.ceil(o / 300)
	};
}
function Nd({ last: e, every: t }) {
	return Array.from({ length: Math.floor(e / t) + 1 }, (e, n) => n * t);
}
function* Pd(e) {
	let t = Md(e), { units: n, rate: r, std: i, every: a } = t, o = Nd(t), s = Math.max(1, Math.round(kd / n)), c = Po(t.delta), l = Array.from({ length: Sd }, (e, t) => vo.random(c, n, i, t)), u = l.map((e) => [e.loss()]), d = 0;
	for (let e = 1; e < o.length; e++) l.forEach((e, t) => {
		for (let t = 0; t < a; t++) e.step(r);
		u[t].push(e.loss());
	}), d += a * Sd, !(d < s) && (d = 0, yield {
		steps: o.slice(0, e + 1),
		losses: u.map((e) => [...e]),
		sweep: []
	});
	let f = {
		steps: o,
		losses: u,
		shares: Fd(l)
	}, p = [];
	yield {
		...f,
		sweep: []
	};
	for (let e of Cd) {
		let t = Array.from({ length: wd }, (t, a) => {
			let s = vo.random(Po(e), n, i, a), c = [s.loss()], l = o.at(-1);
			for (let e = 0; e < l && c[e] > xd; e++) s.step(r), c.push(s.loss());
			return Lo(Array.from(c.keys()), c, xd);
		});
		p.push(t.reduce((e, t) => e + t, 0) / wd), yield {
			...f,
			sweep: [...p]
		};
	}
}
function Fd(e) {
	let t = {
		xor: 0,
		linear: 0
	};
	for (let n of e) {
		let r = n.sizes(), i = r.reduce((e, t) => e + t, 0);
		r.forEach((r, a) => {
			let o = n.activity.subarray(4 * a, 4 * a + 4), s = Math.max(...o), c = Array.from(o, (e) => +(e > jd * s)).join(""), l = r / i / e.length;
			c === "0110" || c === "1001" ? t.linear += l : c.replaceAll("0", "") === "1" && (t.xor += l);
		});
	}
	return t;
}
var Id = (e) => Number.isFinite(e) ? `${Math.round(e)}` : "never", Ld = (e) => Number.isFinite(e) ? e.toFixed(1) : "never";
function Rd(e) {
	let t = e.reduce((e, t) => e + t, 0) / e.length;
	return [t, Math.sqrt(e.reduce((e, n) => e + (n - t) ** 2, 0) / e.length)];
}
function zd(e) {
	let { delta: t } = Md(e), n = new Ho(8);
	[
		[1, 1],
		[4, 1],
		[1, 4],
		[4, 4]
	].forEach(([e, t], r) => n.node({
		x: e,
		y: t + 1.2,
		shape: "square",
		colour: +(r === 1 || r === 2)
	})), n.word(2.5, .8, "XOR in two inputs"), n.word(2.5, 6.8, `third input ±Δ = ${t.toFixed(2)}`);
	let r = n.column(9, Uo(3), "inputs"), i = n.column(13, Uo(5), "ReLU units"), a = n.column(17, Uo(1), "output");
	return n.join(r, i, () => ({ weight: .8 })), n.join(i, a, () => ({ weight: .8 })), n.done("Four points of two classes (blue and vermilion) form XOR in two inputs and are separable, with margin 2Δ, in a third; a ReLU network of one hidden layer learns the classes.");
}
var Bd = {
	id: "race",
	title: "Race",
	question: "When does a ReLU network leave a linear solution for a nonlinear one?",
	paper: {
		text: "Jarvis, Klein, Rosman and Saxe 2025, section 3",
		href: "https://arxiv.org/abs/2503.06181"
	},
	terms: [
		"relu",
		"gating",
		"xor",
		"singular",
		"loss",
		"area"
	],
	theory: {
		text: "Four points form XOR in two inputs and are linearly separable, with margin 2Δ, in a third. Two gatings compete: two pathways by the sign of the target (linear), or one pathway per point (XOR). Each pathway is a linear network with one mode, solved in closed form. It starts where random weights put it, nσ²/2 for its n units, and grows at the rate of its singular value s; a finite step η slows it a little. Nothing is fitted.",
		equations: [
			"a(t) = frac{s / d}{1 − (1 − frac{s}{d a_{0}}) e^{−2 s t}},  t = \"steps\" · frac{ln(1 + η s)}{s},  a_{0} = frac{n σ^{2}}{2}",
			"\"linear:\"  s = frac{Δ}{2},  d = frac{Δ^{2}}{2},  n = frac{N}{2},  L = frac{1}{2} − Δ a + frac{1}{2} Δ^{2} a^{2}",
			"\"XOR:\"  s = frac{sqrt{2 + Δ^{2}}}{4},  d = frac{2 + Δ^{2}}{4},  n = frac{N}{4},  L = frac{1}{2} − 4 s a + 2 d a^{2}",
			"\"the winner changes where both s are equal:\"  Δ = sqrt{2/3}"
		]
	},
	controls: [
		{
			kind: "slider",
			id: "delta",
			label: "Margin Δ",
			help: "How far apart the classes are in the third input; at 0 the task is XOR.",
			min: 0,
			max: Td,
			step: .05,
			value: .5,
			format: (e) => e.toFixed(2)
		},
		{
			kind: "slider",
			id: "scale",
			label: "Initial scale σ√N",
			help: "Standard deviation σ of an initial weight times the root of the number N of hidden units; 2×10⁻⁴ in the paper.",
			min: Ed,
			max: 1,
			step: .1,
			value: 2e-4,
			log: !0
		},
		{
			kind: "slider",
			id: "units",
			label: "Hidden units N",
			help: "Width of the ReLU networks; 128 in the paper. Both gatings divide these units among their pathways.",
			min: 8,
			max: 512,
			step: 8,
			value: 128
		},
		{
			kind: "slider",
			id: "rate",
			label: "Step size η",
			help: "Step of gradient descent on the mean loss; 0.4 in the paper.",
			min: .05,
			max: .6,
			step: .05,
			value: .4,
			format: (e) => e.toFixed(2)
		},
		Vo((e) => `${Math.round(100 * e)} %`)
	],
	schematic: zd,
	ask: {
		prompt: "Four points can be told apart by a line, with a small margin, or point by point, as XOR. Which will a ReLU network from small weights do at margin Δ = 0.5?",
		options: ["Draw the line: it is the simpler solution", "Learn point by point: it is the faster solution"],
		right: (e) => {
			let { delta: t, units: n, std: r, rate: i } = Md(e), [a, o] = [md(t), hd(t)].map((e) => bd(e, xd, i, vd(e, n, r)));
			return a < o ? 0 : 1;
		},
		because: "Pathways race: the one whose singular value is larger grows faster and takes the task, whether or not it is the simpler one. Below Δ = √(2/3) that is XOR."
	},
	view(e, t) {
		let n = Md(e), { delta: r, units: i, rate: a, std: o, last: s } = n, c = Nd(n), [l, u] = [md(r), hd(r)].map((e) => {
			let t = vd(e, i, o), n = bd(e, xd, a, t);
			return {
				s: e.s,
				time: n,
				loss: c.map((n) => yd(e, n, a, t))
			};
		}), d = t?.losses.map((e) => Lo(t.steps, e, xd)) ?? [], f = d.length > 0 && d.every(Number.isFinite), [p, m] = f ? Rd(d) : [NaN, NaN], h = t?.shares && t.steps.map((e, n) => t.losses.reduce((e, t) => e + t[n], 0) / t.losses.length), g = h && Ro(t.steps, l.time < u.time ? l.loss : u.loss, h), _ = s * Z(e, "moment"), v = (t?.losses ?? []).map((e, n) => ({
			label: n ? `ReLU network, seed ${n}` : `ReLU networks, ${i} units`,
			x: t.steps,
			y: e,
			colour: 6,
			role: "trained",
			among: Sd,
			quiet: n > 0
		})), y = Array.from({ length: 121 }, (e, t) => t * Td / 120), b = (e) => y.map((t) => {
			let n = e(t), r = bd(n, xd, a, vd(n, i, o));
			return r <= 2 * s ? r : NaN;
		});
		return {
			sentence: Vd(n, l.time, u.time, f ? [p, m] : void 0, t?.shares, g),
			numbers: [
				{
					id: "steps_linear",
					label: `linear gating, steps to loss ${xd}`,
					value: l.time,
					format: Ld
				},
				{
					id: "steps_xor",
					label: `XOR gating, steps to loss ${xd}`,
					value: u.time,
					format: Ld
				},
				...f ? [{
					id: "steps_relu",
					label: `ReLU networks, mean of ${Sd}`,
					value: p,
					format: Ld
				}] : [],
				{
					id: "s_linear",
					label: "singular value, linear",
					value: l.s
				},
				{
					id: "s_xor",
					label: "singular value, XOR",
					value: u.s
				},
				{
					id: "crossover",
					label: "crossover Δ",
					value: pd
				},
				...g === void 0 ? [] : [{
					id: "area",
					label: "area between the faster gating and the networks (∫|ΔL|/∫L)",
					value: g
				}]
			],
			charts: [{
				kind: "lines",
				id: "loss",
				title: `Loss at Δ = ${r.toFixed(2)}`,
				x: {
					label: "gradient steps",
					values: c,
					range: [0, s]
				},
				y: { label: "loss" },
				moment: _,
				lines: [
					...v,
					{
						label: "linear gating, predicted",
						y: l.loss,
						colour: 0
					},
					{
						label: "XOR gating, predicted",
						y: u.loss,
						colour: 1,
						dash: "dash"
					}
				],
				marks: [{
					axis: "y",
					at: xd,
					label: "learned",
					side: "left"
				}]
			}, {
				kind: "lines",
				id: "time",
				title: "Learning time by margin",
				x: {
					label: "margin Δ",
					values: y,
					range: [0, Td]
				},
				y: { label: `steps to loss ${xd}` },
				lines: [
					...t?.sweep.length ? [{
						label: `ReLU networks, mean of ${wd}`,
						x: Cd.slice(0, t.sweep.length),
						y: t.sweep,
						colour: 6,
						role: "trained"
					}] : [],
					{
						label: "linear gating",
						y: b(md),
						colour: 0
					},
					{
						label: "XOR gating",
						y: b(hd),
						colour: 1,
						dash: "dash"
					}
				],
				marks: [{
					axis: "x",
					at: pd,
					label: "√(2/3)"
				}, {
					axis: "x",
					at: r,
					label: "Δ",
					colour: 2
				}]
			}]
		};
	},
	live: {
		label: `Train ${Jo[Sd]} ReLU networks`,
		key: (e) => [
			"delta",
			"scale",
			"units",
			"rate"
		].map((t) => e[t]).join(),
		run: Pd
	},
	python(e) {
		let { delta: t, units: n, rate: r } = Md(e);
		return [
			"import numpy as np",
			"import festina as fs",
			"",
			`task = fs.tasks.extended_xor(${t})`,
			`std, units, rate = ${Z(e, "scale")} / np.sqrt(${n}), ${n}, ${r}`,
			"sign = task.y[:, 0]",
			"gatings = {\"linear\": np.array([sign > 0, sign < 0]), \"xor\": np.eye(4)}",
			"numbers = {\"crossover\": float(np.sqrt(2 / 3))}",
			"for name, gates in gatings.items():",
			"    network = fs.gated.pathways(gates, 1, initial=fs.initial.Gaussian(std))",
			"    own = task.statistics(network).effective[0]",
			"    s, d = (own.strengths[0], own.curvatures[0]) if own.rank else (0.0, 0.0)",
			"    start = units // len(gates) * std**2 / 2",
			`    end = s / d * (1 - np.sqrt(2 * ${xd})) if s else np.inf`,
			"    time = fs.linear.time_to_strength(max(end, start), s, d, start) if s else np.inf",
			"    numbers[f\"s_{name}\"] = float(s)",
			"    numbers[f\"steps_{name}\"] = float(time * s / np.log1p(rate * s)) if s else np.inf"
		].join("\n");
	}
};
function Vd({ delta: e, rate: t }, n, r, i, a, o) {
	let s = Math.min(n, r), c = Math.max(n, r), [l, u] = n < r ? ["linear", "XOR"] : ["XOR", "linear"], d = e < pd ? "below" : "above", f = c - s < .5 ? `At Δ = ${e.toFixed(2)} both gatings learn in ${Id(s)} steps` : `At Δ = ${e.toFixed(2)}, ${d} the crossover √(2/3) ≈ 0.82, the ${l} gating wins: it learns in ${Id(s)} steps, the ${u} one ${Number.isFinite(c) ? `in ${Id(c)}` : "never"}`, p = "weights this large put the networks in the middle of learning, while the prediction starts from pathways of the mean strength";
	if (!i) return `${f}${a ? "; the ReLU networks have not learned in the time shown" : ""}.${Yo(o, "The trained ReLU networks", p, !0)}`;
	let [m, h] = i, g = m - s, _ = o === void 0 || o <= .1, v = Math.abs(g) * t <= Ad && _ ? "as predicted" : `${Math.abs(g).toFixed(1)} ${g > 0 ? "later" : "earlier"} than predicted`, y = `${f}; the trained ReLU networks take ${m.toFixed(1)} ± ${h.toFixed(1)}, ${v}`;
	if (!a) return `${y}.`;
	let [b, x] = a.xor > a.linear ? [a.xor, "on at a single point"] : [a.linear, "on at both points of one sign"];
	return `${y}, with ${Ko(b)} of their map in units ${x}.${_ ? "" : Yo(o, "Their loss", p)}`;
}
var Hd = 1e-9, Ud = 1e-9;
function Wd(e, t) {
	let n = [], [r, i] = ["", !1];
	for (let a of e) a === "\"" ? i = !i : a === t && !i ? (n.push(r.trim()), r = "") : r += a;
	return [...n, r.trim()];
}
var Gd = (e) => e !== "" && Number.isFinite(Number(e));
function Kd(e) {
	let t = e.split(/\r\n|\n|\r/).filter((e) => e.trim() !== "");
	if (t.length < 4) return "The table needs at least four lines: one per data point, and columns separated by commas, semicolons or tabs.";
	let n = [
		"	",
		";",
		","
	].find((e) => t[0].includes(e));
	if (n === void 0) return "The first line has a single column; separate columns by commas, semicolons or tabs.";
	let r = t.map((e) => Wd(e, n)), i = r[0].length, a = r.findIndex((e) => e.length !== i);
	if (a >= 0) return `Line ${a + 1} has ${r[a].length} cells, the first line has ${i}.`;
	let o = r[0].every((e) => !Gd(e)), s = o ? r[0] : r[0].map((e, t) => `column ${t + 1}`);
	o && (r = r.slice(1));
	let c = r.every((e) => !Gd(e[0]));
	c && (r = r.map((e) => e.slice(1)));
	let l = c ? s.slice(1) : s;
	if (l.length < 2) return "The table needs at least two columns of numbers: an input and a target.";
	if (l.length > 24) return `The table has ${l.length} columns of numbers; up to 24 can be shown here.`;
	if (r.length > 500) return `The table has ${r.length} data points; up to 500 can be trained on here.`;
	for (let [e, t] of r.entries()) for (let [n, r] of t.entries()) if (!Gd(r)) return `Data point ${e + 1}, column “${l[n]}”: “${r.slice(0, 20)}” is not a number.`;
	let u = r.map((e) => e.map(Number)), d = l.findIndex((e, t) => u.every((e) => e[t] === u[0][t]));
	return d >= 0 ? `Column “${l[d]}” has the same value in every data point; leave it out.` : {
		names: l,
		rows: u
	};
}
function qd(e) {
	let t = $(e.length, e[0].length);
	for (let n = 0; n < t.columns; n++) {
		let r = e.reduce((e, t) => e + t[n], 0) / e.length, i = Math.sqrt(e.reduce((e, t) => e + (t[n] - r) ** 2, 0) / e.length);
		e.forEach((e, a) => t.data[a * t.columns + n] = (e[n] - r) / i);
	}
	return t;
}
function Jd({ rows: e }, t, n) {
	let r = e.length, i = qd(e.map((e) => e.slice(0, -t))), a = qd(e.map((e) => e.slice(-t))), { values: o, vectors: s } = Pc(Oc(Ec(i, i), 1 / r)), c = Array.from(o.keys()).filter((e) => o[e] > Hd * o[0]), l = $(i.columns, c.length);
	c.forEach((e, t) => {
		for (let r = 0; r < i.columns; r++) l.data[r * c.length + t] = s.data[r * s.columns + e] / (n ? Math.sqrt(o[e]) : 1);
	});
	let u = Tc(i, l), d = Oc(Ec(u, u), 1 / r), f = Oc(Ec(a, u), 1 / r), p = Ic(f), m = p.values.filter((e) => e > Ud * p.values[0]).length, h = Array.from(p.values.slice(0, m)), g = Tc(d, p.right), _ = h.map((e, t) => {
		let n = 0;
		for (let e = 0; e < d.rows; e++) n += p.right.data[e * p.right.columns + t] * g.data[e * g.columns + t];
		return n;
	}), v = Oc(Ec(i, Tc(u, p.right)), 1 / r), y = h.map((e, t) => Array.from({ length: i.columns }, (e, n) => v.data[n * v.columns + t] / Math.sqrt(_[t]))), b = a.data.reduce((e, t) => e + t * t, 0) / r, x = 0;
	for (let e = 0; e < f.rows; e++) for (let t = 0; t < f.columns; t++) x += f.data[e * f.columns + t] ** 2 / d.data[t * d.columns + t];
	let S = (e) => ({
		rows: e.rows,
		columns: m,
		data: Float64Array.from({ length: e.rows * m }, (t, n) => e.data[Math.floor(n / m) * e.columns + n % m])
	});
	return {
		inputs: d,
		cross: f,
		power: b,
		s: h,
		d: _,
		left: S(p.left),
		right: S(p.right),
		reads: y,
		least: .5 * Math.max(0, b - x)
	};
}
//#endregion
//#region src/learn/regression.ts
var Yd = class {
	inputs;
	cross;
	power;
	first;
	second;
	map;
	miss;
	seen;
	up;
	down;
	constructor(e, t, n, r, i) {
		this.inputs = n, this.cross = r, this.power = i, [this.first, this.second] = [Sc(e), Sc(t)], this.map = $(r.rows, r.columns), this.miss = $(r.rows, r.columns), this.seen = $(r.rows, r.columns), this.up = $(t.rows, t.columns), this.down = $(e.rows, e.columns), this.refresh();
	}
	refresh() {
		Tc(this.second, this.first, this.map), Tc(this.map, this.inputs, this.seen);
		for (let e = 0; e < this.miss.data.length; e++) this.miss.data[e] = this.cross.data[e] - this.seen.data[e];
	}
	get loss() {
		return .5 * (this.power - 2 * kc(this.map, this.cross) + kc(this.map, this.seen));
	}
	step(e) {
		Ec(this.second, this.miss, this.down), Dc(this.miss, this.first, this.up);
		for (let t = 0; t < this.first.data.length; t++) this.first.data[t] += e * this.down.data[t];
		for (let t = 0; t < this.second.data.length; t++) this.second.data[t] += e * this.up.data[t];
		this.refresh();
	}
}, Xd = 6e4, Zd = 6e6, Qd = (e) => [
	"table",
	"targets",
	"inputs",
	"start",
	"weights"
].map((t) => e[t]).join("\n"), $d;
function ef(e) {
	let t = Qd(e);
	if ($d?.key !== t) {
		let n = Kd(zo(e, "table"));
		if (typeof n == "string") throw Error(n);
		let r = zo(e, "inputs") === "white", i = Jd(n, Z(e, "targets"), r), a = Z(e, "start") * i.s[0] / i.d[0], o = i.s.slice(0, 6).filter((e) => e > .02 * i.s[0]), s = Math.max(...o.map((e, t) => Ts(.98 * e / i.d[t], {
			s: e,
			d: i.d[t]
		}, Math.min(a, .5 * e / i.d[t]), 2)));
		$d = {
			key: t,
			setting: {
				table: n,
				task: i,
				start: a,
				white: r,
				times: Array.from({ length: 201 }, (e, t) => 1.1 * s * t / 200)
			}
		};
	}
	return $d.setting;
}
function tf({ task: e, start: t }, n) {
	return e.s.map((r, i) => Ss(n, {
		s: r,
		d: e.d[i]
	}, t, 2));
}
function nf({ task: e }, t, n) {
	return t.reduce((t, r, i) => t - e.s[i] * r[n] + .5 * e.d[i] * r[n] ** 2, .5 * e.power);
}
function* rf(e) {
	let t = ef(e), { task: n, start: r, times: i } = t, a = i[i.length - 1], [o, s, c] = [
		n.cross.columns,
		n.cross.rows,
		n.s.length
	], l = Math.max(o, s), u = go(11), d = Math.sqrt(2 * r / l), [f, p] = zo(e, "weights") === "random" ? [gl(l, o, d, u), gl(s, l, d, u)] : vl(n.right, n.left, Math.max(l, c), 2, r, u), m = new Yd(f, p, n.inputs, n.cross, n.power), h = 2 * Math.max(...Array.from({ length: o }, (e, t) => n.inputs.data[t * o + t])) * Math.max(...n.s.map((e, t) => e / n.d[t])), g = Math.min(Math.max(.05 / h, Math.min(a / Xd, .5 / h)), a / 600), _ = Math.ceil(a / g), v = {
		times: [],
		loss: [],
		strengths: n.s.map(() => []),
		expected: []
	}, y = (e) => {
		v.times.push(e * g), v.loss.push(m.loss), bl(m.map, n.left, n.right).forEach((e, t) => v.strengths[t].push(e)), v.expected.push(nf(t, tf(t, [e * g]), 0));
	}, b = 4 * l * o * s + s * o * o, [x, S] = [0, 0];
	for (let e = 0; e <= _; e++) (e >= S || e === _) && (y(e), S = Math.max(e + 1, Math.round(v.times.length * _ / 159))), e < _ && m.step(g), x += b, x > Zd && (x = 0, yield { ...v });
	yield { ...v };
}
//#endregion
//#region src/topics/your_data.ts
var af = "garden,sun,rain,soil,height,leaves,flowers\nA,8.1,3.2,6.1,41,18,9\nB,7.4,4.1,5.2,38,20,8\nC,3.0,7.7,6.6,30,31,2\nD,5.2,5.9,3.1,27,22,4\nE,9.0,2.1,4.4,36,12,10\nF,2.1,8.4,5.0,22,33,1\nG,6.6,5.0,7.3,45,27,7\nH,4.4,6.8,2.2,20,23,3\nI,7.9,3.9,3.0,30,15,8\nJ,3.7,7.1,7.9,38,34,3\nK,5.9,4.6,4.8,33,21,6\nL,8.6,2.8,7.0,46,19,10\n";
function of(e, t) {
	let n = ef(e), { table: r, task: i, times: a, start: o } = n, s = Z(e, "targets"), [c, l] = [r.names.slice(0, -s), r.names.slice(-s)], u = tf(n, a), d = a.map((e, t) => nf(n, u, t)), f = Math.round(Z(e, "moment") * 200), p = a[f], m = {
		label: "flow time",
		values: a,
		range: [0, a[200]]
	}, h = i.s.slice(0, 6), g = h.map((e, t) => Ts(.5 * e / i.d[t], {
		s: e,
		d: i.d[t]
	}, Math.min(o, .5 * e / i.d[t]), 2)), _ = t && t.times.length > 2 ? t : void 0, v = _ && Ro(_.times, _.expected, _.loss), y = (e) => `mode ${e + 1}`, b = 1 - i.least / (.5 * i.power), x = [
		{
			id: "points",
			label: "data points",
			value: r.rows.length
		},
		{
			id: "s_first",
			label: "strongest mode, singular value",
			value: i.s[0]
		},
		{
			id: "first",
			label: "strongest mode half learned",
			value: g[0],
			unit: "flow time"
		},
		{
			id: "least",
			label: "least loss of a linear map",
			value: i.least
		},
		{
			id: "loss",
			label: "predicted loss at the moment",
			value: d[f]
		},
		...v === void 0 ? [] : [{
			id: "area",
			label: "area between prediction and network (∫|ΔL|/∫L)",
			value: v
		}]
	], S = (e, t, n, r, i) => ({
		kind: "heat",
		id: e,
		title: t,
		label: i,
		matrix: n,
		rows: h.map((e, t) => y(t)),
		columns: r,
		bound: 1
	});
	return {
		sentence: sf(e, g, b, v),
		numbers: x,
		charts: [
			{
				kind: "lines",
				id: "loss",
				title: "Loss",
				wide: !0,
				x: m,
				y: { label: "loss" },
				moment: p,
				lines: [..._ ? [{
					label: "trained network",
					x: _.times,
					y: _.loss,
					colour: 6,
					role: "trained"
				}] : [], {
					label: "prediction",
					y: d,
					colour: 6
				}],
				marks: [{
					axis: "y",
					at: i.least,
					label: "least loss of a linear map",
					side: "left"
				}]
			},
			{
				kind: "lines",
				id: "strengths",
				title: "Strength of each mode",
				wide: !0,
				x: m,
				y: { label: "strength a" },
				moment: p,
				lines: [..._ ? h.map((e, t) => ({
					label: "trained network",
					x: _.times,
					y: _.strengths[t],
					colour: t,
					role: "trained",
					quiet: !0
				})) : [], ...h.map((e, t) => ({
					label: `${y(t)} (s = ${Q(e)})`,
					y: u[t],
					colour: t
				}))]
			},
			S("reads", "What a mode reads from the inputs", i.reads.slice(0, 6), c, "correlation"),
			S("writes", "What it says of the targets", h.map((e, t) => l.map((e, n) => i.left.data[n * i.left.columns + t])), l, "entry of u")
		]
	};
}
function sf(e, t, n, r) {
	let { task: i, white: a, table: o } = ef(e), s = i.s.length === 1 ? "one mode" : `${Jo[i.s.length] ?? i.s.length} modes`, c = t.length > 1 ? `; the strongest is half learned at t = ${Q(t[0])}, ${t.length > 2 ? "the weakest shown" : "the other"} at ${Q(t[t.length - 1])}` : `, half learned at t = ${Q(t[0])}`, l = zo(e, "weights") === "random" ? "random weights first have to turn towards the modes" : a ? "the step of training is not small" : "these inputs are correlated, so that modes disturb each other while the theory takes them one by one; make the inputs white to see the difference";
	return `This table of ${o.rows.length} data points has ${s}${c}; the best linear map explains ${Ko(n)} of the targets' variance.${Yo(r, "The trained network", l)}`;
}
function cf(e) {
	let { table: t, task: n } = ef(e), r = Z(e, "targets"), [i, a] = [t.names.slice(0, -r), t.names.slice(-r)], o = new Ho(8), s = (e) => e.slice(0, 7).map((e) => e.length > 9 ? `${e.slice(0, 8)}…` : e), c = o.column(5, s(i), "inputs", () => ({ side: "left" })), l = o.column(9, Uo(Math.min(6, Math.max(n.cross.columns, n.cross.rows))), "hidden units"), u = o.column(13, s(a), "targets", () => ({ side: "right" }));
	return o.join(c, l, () => ({ weight: .8 })), o.join(l, u, () => ({ weight: .8 })), o.done(`A linear network of two layers learns your ${a.length === 1 ? "target column" : `${a.length} target columns`} from ${i.length === 1 ? "one input column" : `${i.length} input columns`}.`);
}
//#endregion
//#region src/topics/index.ts
var lf = [
	Tu,
	Ol,
	Bd,
	gs,
	fd,
	vc,
	{
		id: "your_data",
		title: "Your data",
		question: "What would a network learn first from your own table?",
		paper: {
			text: "Saxe, McClelland & Ganguli 2014, Exact solutions to the nonlinear dynamics of learning in deep linear neural networks",
			href: "https://arxiv.org/abs/1312.6120"
		},
		terms: [
			"mode",
			"strength",
			"singular",
			"white",
			"loss",
			"flow",
			"area"
		],
		theory: {
			text: "Columns are centred and divided by their standard deviation. The correlation of targets with inputs is a sum of modes, and from small weights each grows by itself, the strong ones first. This is exact where the inputs are white, that is uncorrelated and of equal variance; as they are, a mode's curvature is taken from the inputs along it, which is an approximation. The table stays in this page: it is not sent anywhere, and links do not carry it.",
			equations: ["Σ_{yx} = U S V^{T},  d = v^{T} Σ_{x} v", "a(t) = frac{s / d}{1 − (1 − frac{s}{d a_{0}}) e^{−2 s t}},  L = frac{1}{2} ⟨y^{2}⟩ − Σ ( s a − frac{1}{2} d a^{2} )"]
		},
		controls(e) {
			let t = Kd(typeof e.table == "string" ? e.table : af), n = typeof t == "string" ? 2 : t.names.length;
			return [
				{
					kind: "text",
					id: "table",
					label: "Your table (CSV)",
					value: af,
					help: "Paste a table or open a file: one data point per line, the targets in the last columns, names in the first line and first column if you like. It stays on your machine.",
					refuse: (e) => {
						let t = Kd(e);
						return typeof t == "string" ? t : void 0;
					}
				},
				{
					kind: "slider",
					id: "targets",
					label: "Target columns",
					min: 1,
					max: Math.max(2, n - 1),
					step: 1,
					value: Math.min(3, Math.floor(n / 2)),
					help: "How many of the last columns are to be learned from the others."
				},
				{
					kind: "choice",
					id: "inputs",
					label: "Inputs",
					value: "white",
					options: [{
						value: "white",
						label: "made white"
					}, {
						value: "standard",
						label: "standardised"
					}],
					help: "White inputs are uncorrelated and of equal variance, as the theory assumes; standardised ones keep their correlations."
				},
				{
					kind: "slider",
					id: "start",
					label: "Initial strength",
					min: 1e-5,
					max: .2,
					step: .05,
					value: .001,
					log: !0,
					help: "Strength of every mode at time 0, as a share of what the strongest one reaches."
				},
				{
					kind: "choice",
					id: "weights",
					label: "Trained network starts",
					value: "aligned",
					options: [{
						value: "aligned",
						label: "on the modes"
					}, {
						value: "random",
						label: "at random"
					}],
					help: "The prediction assumes a start on the modes."
				},
				Vo((e) => `${Math.round(100 * e)} %`)
			];
		},
		schematic: cf,
		view: of,
		live: {
			label: "Train a linear network",
			key: Qd,
			run: rf
		},
		python: (e) => {
			let { table: t, times: n, white: r } = ef(e), i = Z(e, "targets"), a = Math.round(Z(e, "moment") * 200);
			return [
				"import numpy as np",
				"",
				"import festina as fs",
				"",
				`table = np.array(${JSON.stringify(t.rows)})`,
				"table = (table - table.mean(axis=0)) / table.std(axis=0)",
				`x, y = table[:, :-${i}], table[:, -${i}:]`,
				...r ? [
					"variances, axes = np.linalg.eigh(x.T @ x / len(x))",
					"kept = variances > 1e-9 * variances.max()",
					"x = x @ axes[:, kept] / np.sqrt(variances[kept])"
				] : [],
				"task = fs.Task(x, y)",
				"s, d = task.statistics.strengths, task.statistics.curvatures",
				`start = ${qo(Z(e, "start"))} * s[0] / d[0]`,
				`a = fs.linear.strength(${qo(n[a])}, s, d, start, 2)`,
				"numbers = {",
				"    \"points\": len(table),",
				"    \"s_first\": float(s[0]),",
				"    \"first\": float(fs.linear.time_to_strength(0.5 * s[0] / d[0], s[0], d[0], start, 2)),",
				"    \"least\": float(task.statistics.floor),",
				"    \"loss\": float(0.5 * task.statistics.power - sum(s * a - 0.5 * d * a**2)),",
				"}"
			].join("\n");
		}
	}
];
//#endregion
//#region src/widget.ts
function uf({ model: e, el: t }) {
	let n = lf.find(({ id: t }) => t === e.get("topic"));
	if (!n) throw Error(`there is no topic ${String(e.get("topic"))}`);
	let r = X("div", { class: "festina notebook" });
	t.append(X("style", {}, ".uplot,.uplot *,.uplot :before,.uplot :after{box-sizing:border-box}.uplot{width:min-content;font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,Noto Sans,sans-serif,Apple Color Emoji,Segoe UI Emoji,Segoe UI Symbol,Noto Color Emoji;line-height:1.5}.u-title{text-align:center;font-size:18px;font-weight:700}.u-wrap{-webkit-user-select:none;user-select:none;position:relative}.u-over,.u-under{position:absolute}.u-under{overflow:hidden}.uplot canvas{width:100%;height:100%;display:block;position:relative}.u-axis{position:absolute}.u-legend{text-align:center;margin:auto;font-size:14px}.u-inline{display:block}.u-inline *{display:inline-block}.u-inline tr{margin-right:16px}.u-legend th{font-weight:600}.u-legend th>*{vertical-align:middle;display:inline-block}.u-legend .u-marker{width:1em;height:1em;margin-right:4px;background-clip:padding-box!important}.u-inline.u-live th:after{content:\":\";vertical-align:middle}.u-inline:not(.u-live) .u-value{display:none}.u-series>*{padding:4px}.u-series th{cursor:pointer}.u-legend .u-off>*{opacity:.3}.u-select{pointer-events:none;background:#00000012;position:absolute}.u-cursor-x,.u-cursor-y{pointer-events:none;will-change:transform;position:absolute;top:0;left:0}.u-hz .u-cursor-x,.u-vt .u-cursor-y{border-right:1px dashed #607d8b;height:100%}.u-hz .u-cursor-y,.u-vt .u-cursor-x{border-bottom:1px dashed #607d8b;width:100%}.u-cursor-pt{pointer-events:none;will-change:transform;border:0 solid;border-radius:50%;position:absolute;top:0;left:0;background-clip:padding-box!important}.u-axis.u-off,.u-select.u-off,.u-cursor-x.u-off,.u-cursor-y.u-off,.u-cursor-pt.u-off{display:none}", mo), r);
	let i = wa(n, {}).filter((e) => e.kind !== "button").map((e) => e.id), a = () => ka(n, Object.fromEntries(i.map((t) => [t, e.get(t)]))).state, o = (t) => {
		for (let n of i) JSON.stringify(e.get(n)) !== JSON.stringify(t[n]) && e.set(n, t[n]);
		e.save_changes();
	}, s = new co(n, a(), po(r), {
		changed: o,
		switched: (t) => {
			e.set("train", t), e.save_changes();
		},
		drawn: ({ numbers: t }) => {
			let n = Object.fromEntries(Object.entries(t).map(([e, t]) => [e, Number.isFinite(t) ? t : null]));
			JSON.stringify(e.get("numbers")) !== JSON.stringify(n) && (e.set("numbers", n), e.save_changes());
		}
	}, !!e.get("train"));
	r.append(s.root);
	let c = () => {
		let e = a();
		s.set(e), o(e);
	}, l = () => s.train(!!e.get("train"));
	for (let t of i) e.on(`change:${t}`, c);
	e.on("change:train", l);
	let u = requestAnimationFrame(() => s.restyle(po(r)));
	return () => {
		cancelAnimationFrame(u);
		for (let t of i) e.off(`change:${t}`, c);
		e.off("change:train", l), s.close();
	};
}
var df = { render: uf };
//#endregion
export { df as default };
